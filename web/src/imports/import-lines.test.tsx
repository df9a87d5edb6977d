// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { ImportLineState, ListImportLinesResponseSchema } from '../gen/frontdesk/tenancy/v1/import_pb';
import { mount } from '../testing/mount';
import { ImportLines } from './import-lines';

const { call, saveTable } = vi.hoisted(() => ({ call: vi.fn(), saveTable: vi.fn() }));
vi.mock('../api/call', () => ({ call }));
vi.mock('../ui/save-file', () => ({ saveTable }));

const bad = {
  line: 2,
  state: ImportLineState.BAD,
  cells: ['Ana', 'call me'],
  field: 'phone',
  fault: 'is none',
};
const erased = { line: 5, state: ImportLineState.BAD };

/** A table whose lines come two pages long. */
function show(state: ImportLineState, ...pages: object[][]) {
  call.mockImplementation(async (_: unknown, { pageToken = '' }: { pageToken?: string }) => {
    const at = Number(pageToken);
    const nextPageToken = at + 1 < pages.length ? String(at + 1) : '';
    return create(ListImportLinesResponseSchema, { lines: pages[at] ?? [], nextPageToken });
  });
  const Component = () => (
    <ImportLines
      title="Lines that can’t be imported"
      businessId="b"
      importId="i"
      state={state}
      columns={['name', 'phone']}
      fileName="clients.csv"
    />
  );
  mount([{ path: '/', Component }], '/');
}

afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

it('downloads all lines that were left out, also those that are not shown yet', async () => {
  show(ImportLineState.BAD, [bad], [{ ...bad, line: 3 }, erased]);
  fireEvent.click(await screen.findByRole('button', { name: 'Download: Lines that can’t be imported' }));
  await waitFor(() => expect(saveTable).toHaveBeenCalledOnce());
  const [name, csv] = saveTable.mock.calls[0] as [string, string];
  expect(name).toBe('clients-left-out.csv');
  expect(csv.split('\r\n').map((line) => line.slice(0, 3))).toEqual(['"li', '"2"', '"3"', '']);
});

it('says of a line about an erased person that it was erased', async () => {
  show(ImportLineState.BAD, [bad, erased]);
  await screen.findByRole('row', { name: '2 Phone is none Ana call me' });
  screen.getByRole('row', { name: '5 Erased' });
});

it('offers nothing of which nothing is left, and no download of what was imported', async () => {
  show(ImportLineState.BAD, [erased]);
  await screen.findByText('Erased');
  expect(screen.queryByRole('button')).toBeNull();
  cleanup();
  show(ImportLineState.IMPORTED, [{ ...bad, state: ImportLineState.IMPORTED, field: '', fault: '' }]);
  await screen.findByText('Ana');
  expect(screen.queryByRole('button')).toBeNull();
});

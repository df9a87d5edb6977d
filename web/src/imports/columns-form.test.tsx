// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  CheckImportResponseSchema,
  DateOrder,
  ImportService,
  PreviewImportResponseSchema,
} from '../gen/frontdesk/tenancy/v1/import_pb';
import { mount, refused } from '../testing/mount';
import { ColumnsForm } from './columns-form';

const call = vi.hoisted(() => vi.fn());
vi.mock('../api/call', () => ({ call }));

type Asked = { mapping?: { fields: string[] } };

/** A table of two columns, of which none is known at first. */
function answer(method: unknown, { mapping }: Asked) {
  if (method === ImportService.method.checkImport) return create(CheckImportResponseSchema);
  const [kunde = '', wann = ''] = mapping?.fields ?? [];
  const faults = [
    ...(kunde && kunde === wann ? [{ columns: [0, 1], fault: 'has both as one' }] : []),
    ...(kunde === 'service' || wann === 'service' ? [] : [{ fault: 'has no column for “service”' }]),
  ];
  return create(PreviewImportResponseSchema, {
    columns: [
      { heading: 'Was', field: kunde, examples: ['Cut', 'Colour'] },
      { heading: '', field: wann, examples: ['03/04/2026 09:00'] },
    ],
    fields: ['service', 'start'],
    faults,
    ...(wann === 'start' && {
      openDate: { text: '03/04/2026', dayFirst: '2026-04-03', monthFirst: '2026-03-04' },
    }),
  });
}

const [onChecked, onCancel] = [vi.fn(), vi.fn()];
const show = () => {
  const open = { importId: 'i', partCount: 1 };
  const Component = () => (
    <ColumnsForm businessId="b" open={open} onChecked={onChecked} onCancel={onCancel} />
  );
  mount([{ path: '/', Component }], '/');
};
const shown = async () => {
  show();
  return screen.findByLabelText('Field of Was');
};
const assign = (column: string, field: string) =>
  fireEvent.change(screen.getByLabelText(`Field of ${column}`), { target: { value: field } });
const chooseAnother = async () =>
  fireEvent.click(await screen.findByRole('button', { name: 'Choose another table' }));
const check = () => screen.getByRole('button', { name: 'Check the lines' });

beforeEach(() => {
  call.mockImplementation(async (method: unknown, asked: Asked) => answer(method, asked));
});
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

describe('the columns of a table', () => {
  it('are shown with their values, and what is missing is named', async () => {
    await shown();
    screen.getByText('Cut · Colour');
    screen.getByText('Column 2');
    screen.getByText('The table has no column for “service”.');
    expect(check()).toHaveProperty('disabled', true);
  });

  it('are assigned one after the other, faster than the server answers', async () => {
    await shown();
    assign('Was', 'service');
    assign('Column 2', 'service');
    await screen.findByText('The table has both as one.');
    assign('Column 2', '');
    await waitFor(() => expect(check()).toHaveProperty('disabled', false));
    fireEvent.click(check());
    await waitFor(() => expect(onChecked).toHaveBeenCalledWith('i'));
    const [, sent] = call.mock.calls.find(([method]) => method === ImportService.method.checkImport) ?? [];
    expect(sent).toMatchObject({ mapping: { fields: ['service', ''] }, dateOrder: DateOrder.UNSPECIFIED });
  });

  it('are not checked before it is said which day an open date is', async () => {
    await shown();
    assign('Was', 'service');
    assign('Column 2', 'start');
    await screen.findByRole('group', { name: 'Which day is 03/04/2026?' });
    expect(check()).toHaveProperty('disabled', true);
    fireEvent.click(screen.getByRole('radio', { name: '4 Mar 2026 (month first)' }));
    fireEvent.click(check());
    await waitFor(() => expect(onChecked).toHaveBeenCalledWith('i'));
    const [, sent] = call.mock.calls.find(([method]) => method === ImportService.method.checkImport) ?? [];
    expect(sent).toMatchObject({ dateOrder: DateOrder.MONTH_FIRST });
  });
});

describe('another table', () => {
  const { previewImport, cancelImport } = ImportService.method;
  const failing = (failed: unknown, error: Error) =>
    call.mockImplementation(async (method: unknown, asked: Asked) => {
      if (method === failed) throw error;
      return method === cancelImport ? {} : answer(method, asked);
    });

  it('can be chosen where this one can’t be read', async () => {
    failing(previewImport, refused(404, 'NOT_FOUND'));
    show();
    await screen.findByText('The table can’t be shown');
    await chooseAnother();
    await waitFor(() => expect(onCancel).toHaveBeenCalledTimes(1));
  });

  it('can be chosen where this import is over already', async () => {
    failing(cancelImport, refused(404, 'NOT_FOUND'));
    await shown();
    await chooseAnother();
    await waitFor(() => expect(onCancel).toHaveBeenCalledTimes(1));
  });

  it('waits for the server, and the form says so', async () => {
    failing(cancelImport, refused(503, 'UNAVAILABLE', 'the service is away'));
    await shown();
    await chooseAnother();
    await screen.findByRole('alert');
    expect(onCancel).not.toHaveBeenCalled();
  });
});

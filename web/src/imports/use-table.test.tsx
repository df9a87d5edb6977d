// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  CheckImportResponseSchema,
  CreateImportResponseSchema,
  ImportKind,
  ImportService,
  PreviewImportResponseSchema,
} from '../gen/frontdesk/tenancy/v1/import_pb';
import { useTable } from './use-table';

const call = vi.hoisted(() => vi.fn());
vi.mock('../api/call', () => ({ call }));

const { createImport, previewImport, checkImport, cancelImport } = ImportService.method;
/** How often a method was called. */
const times = (method: unknown) => call.mock.calls.filter(([called]) => called === method).length;

beforeEach(() => {
  call.mockReset().mockImplementation(async (method: unknown) => {
    if (method === createImport)
      return create(CreateImportResponseSchema, { import: { id: `i${times(createImport)}` } });
    if (method === previewImport) return create(PreviewImportResponseSchema, { settled: true });
    if (method === checkImport) return create(CheckImportResponseSchema);
    return {};
  });
});

function at(shownId: string) {
  return renderHook(({ shownId }) => useTable('b', ImportKind.CUSTOMERS, shownId, () => undefined), {
    initialProps: { shownId },
  });
}

describe('the table that was sent', () => {
  it('belongs to its import: the columns of another one are not changed with it', async () => {
    const { result, rerender } = at('');
    await act(() => result.current.send({ fileName: 'a.csv', text: 'Name\nAda' }));
    rerender({ shownId: 'i1' });
    expect(result.current.isKept).toBe(true);
    rerender({ shownId: 'another' });
    expect(result.current.isKept).toBe(false);
    await act(() => result.current.assignAnew('another', {}));
    expect([times(createImport), times(cancelImport)]).toEqual([1, 0]);
  });

  it('goes on to the import that it is sent for anew', async () => {
    const { result, rerender } = at('');
    await act(() => result.current.send({ fileName: 'a.csv', text: 'Name\nAda' }));
    rerender({ shownId: 'i1' });
    await act(() => result.current.assignAnew('i1', {}));
    expect(result.current.open?.importId).toBe('i2');
    rerender({ shownId: 'i2' });
    expect(result.current.isKept).toBe(true);
  });
});

it('a failure is forgotten where the table is put aside, or the page shows another import', async () => {
  const { result, rerender } = at('');
  call.mockRejectedValue(new Error('lost'));
  const fail = () => act(() => result.current.send({ fileName: 'a.csv', text: 'Name' }));
  await fail();
  expect(result.current.refused).toBeTruthy();
  act(() => result.current.close());
  expect(result.current.refused).toBeUndefined();
  await fail();
  rerender({ shownId: 'another' });
  expect(result.current.refused).toBeUndefined();
  rerender({ shownId: '' });
  expect(result.current.refused).toBeUndefined();
});

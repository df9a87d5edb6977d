// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { saveTable } from './save-file';

afterEach(() => {
  vi.restoreAllMocks();
});

it('a table begins with the mark by which Excel knows its umlauts', async () => {
  const saved: Blob[] = [];
  URL.createObjectURL = (blob) => {
    saved.push(blob as Blob);
    return 'blob:table';
  };
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  saveTable('customers.csv', 'name\r\nMüller\r\n');
  const reader = new FileReader();
  await new Promise((read) => {
    reader.onload = read;
    reader.readAsArrayBuffer(saved[0] as Blob);
  });
  const bytes = new Uint8Array(reader.result as ArrayBuffer);
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
});

import { expect, it } from 'vitest';
import { tableText } from './table-text';

const NAMES = 'name\r\nJürgen Müller';
const bytes = (...encoded: Uint8Array[]) => Uint8Array.from(encoded.flatMap((one) => [...one])).buffer;
const utf16 = (text: string, littleEndian: boolean) => {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), littleEndian);
  return view.buffer;
};

it('a table keeps its umlauts, however the spreadsheet saved it', () => {
  expect(tableText(bytes(new TextEncoder().encode(NAMES)))).toBe(NAMES);
  expect(tableText(bytes(new TextEncoder().encode(`\uFEFF${NAMES}`)))).toBe(NAMES);
  expect(tableText(bytes(Buffer.from(NAMES, 'latin1')))).toBe(NAMES);
  for (const littleEndian of [true, false])
    expect(tableText(utf16(`\uFEFF${NAMES}`, littleEndian))).toBe(NAMES);
});

it('an empty file has no text', () => {
  expect(tableText(new ArrayBuffer(0))).toBe('');
});

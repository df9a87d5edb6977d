import { expect, it } from 'vitest';
import { noTableText, tableText } from './table-text';

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

it('a workbook or a PDF is named instead of being read as text', () => {
  const beginning = (...codes: number[]) => bytes(Uint8Array.from([...codes, 0x14, 0x00]));
  expect(noTableText(beginning(0x50, 0x4b, 0x03, 0x04))).toContain('Excel or Numbers workbook');
  expect(noTableText(beginning(0xd0, 0xcf, 0x11, 0xe0))).toContain('old Excel workbook');
  expect(noTableText(beginning(0x25, 0x50, 0x44, 0x46))).toContain('a PDF');
  for (const text of ['', 'PK', NAMES])
    expect(noTableText(bytes(new TextEncoder().encode(text)))).toBeUndefined();
});

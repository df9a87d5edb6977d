/** Byte order marks of what spreadsheets call "Unicode text". */
const UTF_16 = [
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
] as const;

/** How files begin that look like tables to people and are no text. */
const NO_TEXT = [
  ['an Excel or Numbers workbook', 0x50, 0x4b, 0x03, 0x04],
  ['an old Excel workbook', 0xd0, 0xcf, 0x11, 0xe0],
  ['a PDF', 0x25, 0x50, 0x44, 0x46],
] as const;

/** What a file is that holds no lines of text, with what to do instead. */
export function noTableText(file: ArrayBuffer): string | undefined {
  const begin = new Uint8Array(file, 0, Math.min(4, file.byteLength));
  const kind = NO_TEXT.find(([, ...bytes]) => bytes.every((byte, at) => begin[at] === byte))?.[0];
  return kind && `This file is ${kind}. Save it there as CSV, or copy its cells and paste them below.`;
}

/** The text of a table: in UTF-8, or as spreadsheets save it by default in most of Europe. */
export function tableText(file: ArrayBuffer): string {
  const [first, second] = new Uint8Array(file);
  const wide = UTF_16.find(([, one, two]) => first === one && second === two);
  if (wide) return new TextDecoder(wide[0]).decode(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return new TextDecoder('windows-1252').decode(file);
  }
}

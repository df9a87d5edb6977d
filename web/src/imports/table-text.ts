/** Byte order marks of what spreadsheets call "Unicode text". */
const UTF_16 = [
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
] as const;

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

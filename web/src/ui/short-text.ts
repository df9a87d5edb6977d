const ROOM = 60;

/** As much of a text as a toast has room for, on one line. */
export function shortText(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > ROOM ? `${line.slice(0, ROOM).trimEnd()}…` : line;
}

/** A part is measured in bytes on the other side; a character has up to four. */
const PART = 120_000;

/** The text in parts that may be sent. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + PART, text.length);
    // A character of two units stays whole.
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1;
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}

import { plain } from '../finding/words';

export type Cell = string | number | undefined;

/** What a spreadsheet takes for the beginning of a formula, in either width; as the server marks it. */
const FORMULA = /^[\s]*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** A table as spreadsheets open it: RFC 4180. */
export function csvOf(heads: string[], rows: Cell[][]): string {
  const lines = [heads, ...rows].map((cells) => cells.map(cellText).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

/** Numbers as they are; text never as a formula, since it may come from a caller. */
function cellText(cell: Cell): string {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  return `"${marked(cell).replaceAll('"', '""')}"`;
}

/** A spreadsheet that separates cells by ";" cuts text inside its quotes, too: a cell may begin behind any of them. */
function marked(text: string): string {
  const parts = text.split(/(?<=[;\t\r\n])/);
  const begins = (part: string, index: number) => (index ? part.replace(/^["\s]+/, '') : part);
  return parts.map((part, index) => (FORMULA.test(begins(part, index)) ? `'${part}` : part)).join('');
}

/** "willow-co-services-2026-10-26-to-2026-11-22.csv". */
export function fileName(business: string, what: string, first: string, last: string): string {
  const name = plain(business)
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return `${name || 'salon'}-${what}-${first}-to-${last}.csv`;
}

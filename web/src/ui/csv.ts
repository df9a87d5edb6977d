/** What follows one of these begins a field of its own to a spreadsheet that separates fields by it. */
const PARTS = /[^;\t\r\n]*(?:[;\t\r\n]|$)/g;
const FORMULA = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;

/** Lines of cells as CSV. A cell that a spreadsheet would take for a formula begins with an apostrophe. */
export function csvOf(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

const quoted = (cell: string) => `"${marked(cell).replaceAll('"', '""')}"`;

/** As the server marks them, which takes the apostrophe away again when it reads a table. */
function marked(cell: string): string {
  return cell.replace(PARTS, (part, at: number) => {
    const begins = at === 0 ? part : part.replace(/^["\s]+/, '');
    return FORMULA.test(begins) ? `'${part}` : part;
  });
}

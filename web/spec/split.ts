/** A statement of the specification: a sentence, or a table cell with its row and column. */
export type Statement = { section: number; line: string };

/** Splits a specification into its statements, section by section. */
export function statementsOf(specification: string): Statement[] {
  return specification
    .split(/^## /m)
    .slice(1)
    .flatMap((text) => {
      const [, number, body] = /^(\d+)\.[^\n]*\n([\s\S]*)$/.exec(text) ?? [];
      if (number === undefined || body === undefined) throw new Error(`A section has no number: ${text}`);
      return body
        .split(/\n\s*\n/)
        .flatMap(blockLines)
        .map((line) => ({ section: Number(number), line }));
    });
}

/** A block is a table, or paragraphs and list items in any order. */
function blockLines(block: string): string[] {
  const lines = block.split('\n').filter((line) => line.trim() !== '');
  if (lines.every((line) => line.startsWith('|'))) return cellsOf(lines);
  const paragraphs: string[] = [];
  for (const line of lines) {
    const item = /^(?:-|\d+\.)\s+(.*)$/.exec(line)?.[1];
    const last = paragraphs.at(-1);
    // A lead-in ends with a colon, a list item begins with its mark; anything else goes on.
    if (item !== undefined || last === undefined || last.endsWith(':')) {
      paragraphs.push((item ?? line).trim());
    } else {
      paragraphs[paragraphs.length - 1] = `${last} ${line.trim()}`;
    }
  }
  return paragraphs.flatMap(sentencesOf);
}

/** Sentences end with a full stop before a capital; one inside quotation marks ends none. */
export function sentencesOf(paragraph: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < paragraph.length; at += 1) {
    const [before, here, after] = [paragraph[at - 1], paragraph[at], paragraph[at + 1]];
    const edge = after === undefined || /[\s.,;:)]/.test(after);
    if (here === "'" && !quoted) quoted = before === undefined || /[\s({]/.test(before);
    else if (here === "'" && edge) quoted = false;
    const stops = here === '.' || (here === "'" && before === '.');
    if (quoted || !stops || !/^(?:$|\s+[^a-z\s])/.test(paragraph.slice(at + 1))) continue;
    sentences.push(paragraph.slice(start, at + 1).trim());
    start = at + 1;
  }
  const rest = paragraph.slice(start).trim();
  return rest === '' ? sentences : [...sentences, rest];
}

/** `row / column: cell`. A call is named by its method and its path. */
function cellsOf(lines: string[]): string[] {
  const [header = [], , ...rows] = lines.map((line) =>
    line
      .replace(/^\||\|\s*$/g, '')
      .split('|')
      .map((cell) => cell.trim()),
  );
  const names = header[0] === 'Method' ? 2 : 1;
  return rows.flatMap((cells) => {
    if (cells.length !== header.length) throw new Error(`A row is not of its table: ${cells.join(' | ')}`);
    const name = cells.slice(0, names).join(' ');
    return cells.slice(names).map((cell, index) => `${name} / ${header[names + index]}: ${cell}`);
  });
}

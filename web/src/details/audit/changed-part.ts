/** Two texts that are longer than this together are not told in full. */
const LONG = 300;
/** So many words on either side say where in the text the change is. */
const WORDS_AROUND = 8;

/** What of a long text was replaced and by what, with a few words around it; short texts in full. */
export function changedPart(was: string, is: string): readonly [string, string] {
  if (was.length + is.length <= LONG) return [was, is];
  const [before, after] = [wordsOf(was), wordsOf(is)];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const [left, right] = [Math.max(head - WORDS_AROUND, 0), Math.max(tail - WORDS_AROUND, 0)];
  const part = (words: string[]) =>
    [left > 0 && '…', ...words.slice(left, words.length - right), right > 0 && '…'].filter(Boolean).join(' ');
  return [part(before), part(after)];
}

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean);

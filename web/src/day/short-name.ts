/** "H. Weiss" of "Hannah Weiss", where there is no room for all of it; a single word stays whole. */
export function shortName(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const [first = '', last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return last ? `${[...first][0]}. ${last}` : name;
}

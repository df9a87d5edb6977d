/** Letters of other alphabets that look like Latin ones, in the same order as those. */
const LETTERS = [
  // Cyrillic
  ['асеорхуіјѕԁһӏԛԝ', 'aceopxyijsdhlqw'],
  ['АВСЕНІЈКМОРЅТХУԚԜ', 'ABCEHIJKMOPSTXYQW'],
  // Greek
  ['αονιρυ', 'aovipu'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  // Armenian
  ['օսհո', 'ouhn'],
] as const;

const LATIN = new Map(
  LETTERS.flatMap(([letters, latin]) => [...letters].map((letter, at) => [letter, latin[at] ?? letter])),
);

/** A text as it looks, accents apart: one of another alphabet that looks like a Latin one becomes that. */
export const asItLooks = (text: string) =>
  Array.from(text.normalize('NFD'), (letter) => LATIN.get(letter) ?? letter).join('');

const ALPHABETS = [
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
] as const;

/** The alphabet of a text that could look like a Latin one. */
export const alphabetOf = (text: string) =>
  ALPHABETS.find(([, letters]) => letters.test(text))?.[0] ?? 'Latin';

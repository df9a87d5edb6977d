/** The server refuses anything shorter. */
export const LEAST_LENGTH = 8;
const GOOD_LENGTH = 12;
const STRONG_LENGTH = 16;
/** Fewer different characters than this, and length says little. */
const LEAST_VARIETY = 5;

export type Strength =
  | { kind: 'none' }
  | { kind: 'short'; missing: number }
  | { kind: 'guessable'; because: 'about you' | 'repeated' | 'in a row' }
  | { kind: 'fair' | 'good' | 'strong' };

/** How hard a password is to guess, by length first: no kind of character is required. */
export function strengthOf(password: string, aboutPerson: readonly string[] = []): Strength {
  const signs = Array.from(password);
  if (signs.length === 0) return { kind: 'none' };
  if (signs.length < LEAST_LENGTH) return { kind: 'short', missing: LEAST_LENGTH - signs.length };
  if (isMostly(password, aboutPerson)) return { kind: 'guessable', because: 'about you' };
  if (isRow(signs)) return { kind: 'guessable', because: 'in a row' };
  if (new Set(signs).size < LEAST_VARIETY) return { kind: 'guessable', because: 'repeated' };
  if (signs.length < GOOD_LENGTH) return { kind: 'fair' };
  return { kind: signs.length < STRONG_LENGTH ? 'good' : 'strong' };
}

/** Name or address with a few signs around it. */
function isMostly(password: string, aboutPerson: readonly string[]): boolean {
  const lower = password.toLowerCase();
  return aboutPerson
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .some((word) => word.length >= 4 && lower.includes(word) && lower.length - word.length < LEAST_LENGTH);
}

/** "12345678", "abcdefgh", and backwards. */
function isRow(signs: readonly string[]): boolean {
  const steps = signs
    .slice(1)
    .map((sign, at) => (sign.codePointAt(0) ?? 0) - (signs[at]?.codePointAt(0) ?? 0));
  return steps.every((step) => step === 1) || steps.every((step) => step === -1);
}

/** What a person reads about it. */
export function strengthText(strength: Strength): string {
  switch (strength.kind) {
    case 'none':
      return `At least ${LEAST_LENGTH} characters. A few words in a row are easy to remember.`;
    case 'short':
      return strength.missing === 1 ? 'One more character.' : `${strength.missing} more characters.`;
    case 'guessable':
      return GUESSABLE[strength.because];
    case 'fair':
      return 'Fair. A word or two more make it strong.';
    case 'good':
      return 'Good.';
    case 'strong':
      return 'Strong.';
  }
}

const GUESSABLE = {
  'about you': 'Easy to guess: it is mostly your name or address.',
  repeated: 'Easy to guess: the same few characters over and over.',
  'in a row': 'Easy to guess: the characters follow one another.',
};

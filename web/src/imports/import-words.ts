import type { ReactNode } from 'react';

/** What an import makes, in words. */
export type ImportWords = {
  /** "items". */
  many: string;
  /** "item". */
  one: string;
  /** The headings of a table, as a first line. */
  headings: string;
  /** What to know before. */
  hint: ReactNode;
  /** A record may take several lines, so that lines are counted. */
  severalLines?: boolean;
  /** Lines may be pasted without headings. */
  pasted?: boolean;
};

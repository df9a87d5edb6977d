import type { Test } from '../evidence';

/** A statement of the specification, with its tests. */
export type Row = { section: number; line: string; tests?: Test[]; elsewhere?: string; deviation?: number };

/** What shows a statement. */
export type Shown = Omit<Row, 'section' | 'line'>;

export const by = (...tests: Test[][]): Shown => ({ tests: tests.flat() });
/** Screens of another area show it, or the part that these tests do not. */
export const elsewhere = (screens: string, ...tests: Test[][]): Shown => ({
  elsewhere: screens,
  ...(tests.length > 0 ? { tests: tests.flat() } : {}),
});
/** `deviations.md` describes the deviation, and the tests show it. */
export const departing = (deviation: number, ...tests: Test[][]): Shown => ({
  deviation,
  tests: tests.flat(),
});

import { section2 } from './rows/section-2';
import { section3 } from './rows/section-3';
import { section4 } from './rows/section-4';
import { section5 } from './rows/section-5';
import { section6 } from './rows/section-6';
import { section7 } from './rows/section-7';
import { section8 } from './rows/section-8';
import { section9 } from './rows/section-9';
import type { Row, Shown } from './rows/shown';

const table: Record<number, Record<string, Shown>> = {
  2: section2,
  3: section3,
  4: section4,
  5: section5,
  6: section6,
  7: section7,
  8: section8,
  9: section9,
};

/** The table, line by line. */
export const rows: Row[] = Object.entries(table).flatMap(([section, lines]) =>
  Object.entries(lines).map(([line, shown]) => ({ section: Number(section), line, ...shown })),
);

import { expect, it } from 'vitest';
import { askedDay } from './asked-day';

/** A Wednesday. */
const TODAY = '2026-11-25';

it.each([
  ['today', '2026-11-25'],
  ['tomo', '2026-11-26'],
  ['Fri', '2026-11-27'],
  ['wednesday', '2026-12-02'],
  ['12 Dec', '2026-12-12'],
  ['12 december 2027', '2027-12-12'],
  ['3rd jan', '2027-01-03'],
  ['24/11', '2027-11-24'],
  ['12.12.2026', '2026-12-12'],
  ['2026-12-24', '2026-12-24'],
])('%s is a day', (text, day) => {
  expect(askedDay(text, TODAY)).toBe(day);
});

it.each(['', 'to', 'ma', 'Maya', '0417', '31 feb', '12', '12 x', '2026-13-01'])('%s is none', (text) => {
  expect(askedDay(text, TODAY)).toBeUndefined();
});

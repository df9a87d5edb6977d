import { expect, it } from 'vitest';
import { askedDays } from './asked-day';

/** A Wednesday. */
const TODAY = '2026-11-25';

it.each([
  ['today', ['2026-11-25']],
  ['tomo', ['2026-11-26']],
  ['yesterday', ['2026-11-24']],
  ['Fri', ['2026-11-27']],
  ['wednesday', ['2026-11-25', '2026-12-02']],
  ['this friday', ['2026-11-27']],
  ['next friday', ['2026-12-04', '2026-11-27']],
  ['next monday', ['2026-11-30']],
  ['next wed', ['2026-12-02']],
  ['last friday', ['2026-11-20']],
  ['last wednesday', ['2026-11-18']],
  ['on 27 nov', ['2026-11-27']],
  ['Fri, 27 Nov', ['2026-11-27']],
  ['27nov', ['2026-11-27']],
  ['nov 27', ['2026-11-27']],
  ['27 Nov 2027', ['2027-11-27']],
  ['12 Dec', ['2026-12-12']],
  ['12 december 2027', ['2027-12-12']],
  ['3rd jan', ['2027-01-03']],
  ['24/11', ['2026-11-24', '2027-11-24']],
  ['12.12.2026', ['2026-12-12']],
  ['2026-12-24', ['2026-12-24']],
])('%s is a day', (text, days) => {
  expect(askedDays(text, TODAY)).toEqual({ days, rest: '' });
});

it.each([
  ['Silva 27 nov', ['2026-11-27'], 'Silva'],
  ['27 nov Silva', ['2026-11-27'], 'Silva'],
  ['Silva friday', ['2026-11-27'], 'Silva'],
  ['Ana next friday Silva', ['2026-12-04', '2026-11-27'], 'Ana Silva'],
  ['Silva on fri 27 nov 2026', ['2026-11-27'], 'Silva'],
  ['Silva, 27.11.', ['2026-11-27'], 'Silva'],
  ['0417 tomorrow', ['2026-11-26'], '0417'],
])('%s is a day and other words', (text, days, rest) => {
  expect(askedDays(text, TODAY)).toEqual({ days, rest });
});

it.each([
  '',
  'to',
  'ma',
  'Maya',
  'Tom Silva',
  'next',
  'next Silva',
  'Silva 27',
  '0417',
  '07 12 34 56',
  '31 feb',
  '12',
  '12 x',
  '2026-13-01',
])('%s is none', (text) => {
  expect(askedDays(text, TODAY)).toBeUndefined();
});

import { describe, expect, it } from 'vitest';
import { beforeText, datesBefore, datesOf, datesText, lengthOf, problemOf, searchOf, wishOf } from './wish';

const TODAY = '2026-11-22';
const wished = (search: string) => wishOf(new URLSearchParams(search), TODAY);

describe('what an address asks for', () => {
  it('is the last four weeks where it says nothing, or nothing known', () => {
    for (const search of ['', 'range=9y', 'range=own'])
      expect(wished(search)).toEqual({
        preset: '4w',
        dates: { first: '2026-10-26', last: TODAY },
        category: '',
        table: false,
      });
  });

  it.each(['range=3m', 'range=12m&category=Colour&view=table', 'from=2026-01-01&to=2026-01-31', 'from=&to='])(
    'comes back the same: %s',
    (search) => {
      expect(searchOf(wished(search), new URLSearchParams('phrases=aside&range=4w')).toString()).toContain(
        'phrases=aside',
      );
      expect(wished(searchOf(wished(search), new URLSearchParams()).toString())).toEqual(wished(search));
    },
  );

  it('is said shortest for what is asked mostly', () => {
    expect(searchOf(wished('range=4w'), new URLSearchParams('range=3m&view=table')).toString()).toBe('');
  });
});

describe('dates', () => {
  it('of a preset end today and never hold a date twice', () => {
    expect(datesOf('3m', TODAY)).toEqual({ first: '2026-08-23', last: TODAY });
    expect(datesOf('12m', TODAY)).toEqual({ first: '2025-11-23', last: TODAY });
    expect(lengthOf(datesOf('4w', TODAY))).toBe(28);
  });

  it('of a preset know short months and leap years', () => {
    expect(datesOf('3m', '2026-05-31').first).toBe('2026-03-01');
    expect(lengthOf(datesOf('12m', '2028-02-29'))).toBe(366);
  });

  it('before are as many, and touch them', () => {
    expect(datesBefore({ first: '2026-03-01', last: '2026-03-31' })).toEqual({
      first: '2026-01-29',
      last: '2026-02-28',
    });
    expect(beforeText({ first: TODAY, last: TODAY })).toBe('the day before');
    expect(beforeText(datesOf('4w', TODAY))).toBe('the 28 days before');
  });

  it.each([
    ['2026-01-01', '2027-01-01', null],
    ['2026-01-01', '2027-01-02', 'Choose a year at most.'],
    ['2026-01-02', '2026-01-01', 'The last date is before the first.'],
    ['', '2026-01-01', 'Choose both dates.'],
    ['2026-02-30', '2026-03-01', 'Choose both dates.'],
  ])('from %s to %s: %s', (first, last, problem) => {
    expect(problemOf({ first, last })).toBe(problem);
  });

  it('are written as one range', () => {
    expect(datesText({ first: '2026-10-26', last: '2026-11-22' })).toMatch(/^26 Oct\D+22 Nov 2026$/);
  });
});

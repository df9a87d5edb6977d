import { expect, it } from 'vitest';
import { usualDays } from './usual-days';

const TODAY = '2026-11-26';

it('a customer waits around the day of the visit, and never for a day that is over', () => {
  expect(usualDays('2026-12-20', TODAY)).toEqual({ first: '2026-12-13', last: '2027-01-03' });
  expect(usualDays('2026-11-29', TODAY)).toEqual({ first: TODAY, last: '2026-12-13' });
  expect(usualDays(TODAY, TODAY)).toEqual({ first: TODAY, last: '2026-12-10' });
  expect(usualDays('2026-11-20', TODAY)).toEqual({ first: TODAY, last: '2026-12-10' });
});

import { expect, it } from 'vitest';
import { daysText, hours, minutesMore, percent } from './wording';

it('writes numbers as people say them', () => {
  expect([0, 0.0425, 1].map(percent)).toEqual(['0 %', '4.3 %', '100 %']);
  expect([0, 45, 90, 75_000].map(hours)).toEqual(['0 min', '45 min', '2 h', '1,250 h']);
  expect([3.6, -2, 0.4, -0.4].map(minutesMore)).toEqual(['+4 min', '−2 min', 'as planned', 'as planned']);
  expect([1, 41.5].map(daysText)).toEqual(['1 day', '42 days']);
});

import { expect, it } from 'vitest';
import { countTicks } from './count-ticks';

it('gives few counts a tick each, and many a few', () => {
  expect([0, 1, 2, 3, 4, 900].map(countTicks)).toEqual([2, 2, 3, 4, 5, 5]);
});

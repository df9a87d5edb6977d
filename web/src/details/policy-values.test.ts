import { expect, it } from 'vitest';
import { durationText, LEADS, withCurrent } from './policy-values';

it.each([
  [0, '0 minutes'],
  [1, '1 minute'],
  [45, '45 minutes'],
  [60, '1 hour'],
  [90, '90 minutes'],
  [36 * 60, '36 hours'],
  [24 * 60, '1 day'],
  [7 * 24 * 60, '7 days'],
])('%i minutes are said as %s', (minutes, text) => {
  expect(durationText(minutes)).toBe(text);
});

it('a value that is no usual choice is offered among them', () => {
  expect(withCurrent(LEADS, 45).slice(0, 4)).toEqual([0, 30, 45, 60]);
  expect(withCurrent([5, 10], 10)).toEqual([5, 10]);
});

import { expect, it } from 'vitest';
import { timeLeft } from './time-left';

it.each([
  [-1, 'expired'],
  [0, 'expired'],
  [1, '1 s'],
  [59_000, '59 s'],
  [59_001, '1 min 0 s'],
  [14 * 60_000 + 5000, '14 min 5 s'],
  [3_600_000, '1 h 0 min'],
  [29 * 86_400_000 + 3_600_000, '29 d 1 h'],
])('%i ms are "%s"', (ms, text) => {
  expect(timeLeft(ms)).toBe(text);
});

import { expect, it } from 'vitest';
import { clipped, type Obstacle, shiftToFree } from './free-place';

const toast = { top: 72, right: 374, bottom: 132, left: 16 };
const at = (top: number, bottom: number, weight = 10): Obstacle => ({
  top,
  bottom,
  left: 200,
  right: 360,
  weight,
});

it('stays where it covers nothing', () => {
  expect(shiftToFree(toast, [], 600)).toBe(0);
  expect(shiftToFree(toast, [at(20, 72), at(132, 180)], 600)).toBe(0);
  expect(shiftToFree(toast, [{ ...at(80, 120), left: 380, right: 400 }], 600)).toBe(0);
});

it('goes down past what it would cover, to the first place that is wide enough', () => {
  // Between the two there are 40 pixels, too few for 60.
  expect(shiftToFree(toast, [at(80, 124), at(164, 208)], 600)).toBe(208 + 8 - 72);
  expect(shiftToFree(toast, [at(80, 124), at(240, 284)], 600)).toBe(124 + 8 - 72);
});

it('goes up where it is at the foot of the screen', () => {
  const low = { ...toast, top: 600, bottom: 660 };
  expect(shiftToFree(low, [at(610, 650)], -500)).toBe(610 - 8 - 660);
});

it('goes no further than it may', () => {
  expect(shiftToFree(toast, [at(80, 124)], 50)).toBe(0);
});

it('covers a link of a list rather than a button where it must cover one', () => {
  const rows = [at(60, 140), at(140, 220, 1), at(220, 700)];
  expect(shiftToFree(toast, rows, 600)).toBe(140 + 8 - 72);
});

it('leaves aside what is scrolled out of its frame', () => {
  const frame = { top: 100, right: 300, bottom: 200, left: 0 };
  expect(clipped({ top: 150, right: 400, bottom: 250, left: 10 }, frame)).toEqual({
    top: 150,
    right: 300,
    bottom: 200,
    left: 10,
  });
  expect(clipped({ top: 200, right: 100, bottom: 240, left: 10 }, frame)).toBeUndefined();
});

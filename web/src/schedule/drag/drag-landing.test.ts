import { expect, it } from 'vitest';
import { landing } from './drag-landing';

const CARD = { from: 605, to: 650 };
const SCALE = { pxPerMinute: 2, snap: 15 };
const AREA = { width: 200, count: 3 };
const land = (x: number, y: number, column = 1) => landing(CARD, column, { x, y }, SCALE, AREA);

it('a tiny movement moves nothing, not even onto the grid', () => {
  expect(land(20, 10)).toEqual({ column: 1, from: 605 });
});

it('lands on the grid of the clock', () => {
  expect(land(0, 30)).toEqual({ column: 1, from: 615 });
  expect(land(0, -40)).toEqual({ column: 1, from: 585 });
});

it('lands in the column that covers more than half of it', () => {
  expect(land(120, 0).column).toBe(2);
  expect(land(90, 0).column).toBe(1);
  expect(land(-130, 0).column).toBe(0);
});

it('stays within the day and the columns', () => {
  expect(land(5000, 50_000)).toEqual({ column: 2, from: 1440 - 45 });
  expect(land(-5000, -50_000)).toEqual({ column: 0, from: 0 });
});

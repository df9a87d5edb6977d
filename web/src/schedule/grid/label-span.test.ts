import { describe, expect, it } from 'vitest';
import { labelSpan } from './label-span';

const HOURS = { from: 480, to: 1200 };
const PX = 88 / 60;

const at = (shade: { from: number; to: number }, ...cards: { from: number; to: number; buffers?: [] }[]) =>
  labelSpan(
    shade,
    cards.map((card) => ({ buffers: [], ...card })),
    HOURS,
    PX,
  );

describe('the label of shaded time', () => {
  it('stands at its beginning, from the first hour on screen', () => {
    expect(at({ from: 600, to: 720 })?.from).toBe(600);
    expect(at({ from: 0, to: 540 })?.from).toBe(480);
  });

  it('stands below the visit and the buffer that cover its beginning', () => {
    const card = { from: 560, to: 610, buffers: [{ from: 610, to: 625 }] };
    expect(labelSpan({ from: 600, to: 900 }, [card], HOURS, PX)?.from).toBe(625);
  });

  it('passes over a gap without room for a line', () => {
    expect(at({ from: 600, to: 900 }, { from: 600, to: 630 }, { from: 640, to: 700 })?.from).toBe(700);
  });

  it('is left out where visits cover all of it, and where it is too short', () => {
    expect(at({ from: 600, to: 700 }, { from: 590, to: 710 })).toBeUndefined();
    expect(at({ from: 600, to: 610 })).toBeUndefined();
    expect(at({ from: 0, to: 470 })).toBeUndefined();
  });
});

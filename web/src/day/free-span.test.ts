import { describe, expect, it } from 'vitest';
import { pointedMinute, selectedSpan } from './free-span';

/** Nine o'clock is at the top, an hour is 60 pixels. */
const scale = { from: 540, pxPerMinute: 1, snap: 15 };
const within = { from: 540, to: 1080 };

describe('pointing at free time', () => {
  it('means the step it lies in', () => {
    expect(pointedMinute(0, scale)).toBe(540);
    expect(pointedMinute(44, scale)).toBe(570);
    expect(pointedMinute(45, scale)).toBe(585);
  });

  it('means all steps that were drawn over, upwards as well', () => {
    expect(selectedSpan(50, 76, scale, within)).toEqual({ from: 585, to: 630 });
    expect(selectedSpan(76, 50, scale, within)).toEqual({ from: 585, to: 630 });
    expect(selectedSpan(20, 22, scale, within)).toEqual({ from: 555, to: 570 });
  });

  it('stays within what is shown', () => {
    expect(selectedSpan(30, -200, scale, within)).toEqual({ from: 540, to: 585 });
    expect(selectedSpan(500, 900, scale, within)).toEqual({ from: 1035, to: 1080 });
  });
});

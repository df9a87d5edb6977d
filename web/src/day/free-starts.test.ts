import { describe, expect, it } from 'vitest';
import { startSpans, startWithin } from './free-starts';

describe('free starts', () => {
  it('are one stretch as long as each follows the other', () => {
    expect(startSpans([600, 540, 555, 570])).toEqual([
      { from: 540, to: 585 },
      { from: 600, to: 615 },
    ]);
    expect(startSpans([540, 545, 550])).toEqual([{ from: 540, to: 565 }]);
    expect(startSpans([])).toEqual([]);
  });

  it('are met where one lies in the step that was pressed', () => {
    expect(startWithin([540, 550, 605], 540, 15)).toBe(540);
    expect(startWithin([540, 550, 605], 600, 15)).toBe(605);
    expect(startWithin([540, 550, 605], 555, 15)).toBeUndefined();
  });
});

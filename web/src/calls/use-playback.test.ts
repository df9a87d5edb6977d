import { describe, expect, it } from 'vitest';
import { sizeText } from './size-text';
import { heardAt } from './use-playback';

describe('what of a transcript is being heard', () => {
  it('is the last turn that has begun', () => {
    expect(heardAt([0, 4000, 9000], 4000)).toBe(1);
    expect(heardAt([0, 4000, 9000], 60_000)).toBe(2);
  });

  it('passes over turns without a time', () => {
    expect(heardAt([0, -1, 9000], 5000)).toBe(0);
  });

  it('is none before the recording was begun', () => {
    expect(heardAt([0, 4000], null)).toBe(-1);
    expect(heardAt([500], 100)).toBe(-1);
  });
});

describe('the size of a recording', () => {
  it('is told in the unit that fits', () => {
    expect(sizeText(12)).toBe('1 KB');
    expect(sizeText(850_000)).toBe('850 KB');
    expect(sizeText(2_140_000)).toBe('2.1 MB');
  });
});

import { describe, expect, it } from 'vitest';
import { partsOf } from './parts';

describe('the parts of a table', () => {
  it('make the whole of it again', () => {
    const text = 'name,phone\n'.repeat(40_000);
    const parts = partsOf(text);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.join('')).toBe(text);
  });

  it('cut no character in two', () => {
    for (const before of ['', 'x']) {
      const text = before + '💇'.repeat(100_000);
      const parts = partsOf(text);
      expect(parts.join('')).toBe(text);
      expect(parts.filter((part) => /[\ud800-\udbff]$/.test(part))).toEqual([]);
    }
  });
});

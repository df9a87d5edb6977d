import { describe, expect, it } from 'vitest';
import { CARD, placesOf } from './layout';

const at = (places: Map<string, { x: number; y: number }>, id: string) => {
  const place = places.get(id);
  if (!place) throw new Error(`${id} has no place`);
  return place;
};

describe('where services stand', () => {
  it('is from left to right along their rules', () => {
    const places = placesOf(
      ['cut', 'wash', 'dry'],
      [
        { from: 'wash', to: 'cut' },
        { from: 'cut', to: 'dry' },
      ],
    );
    const [wash, cut, dry] = ['wash', 'cut', 'dry'].map((id) => at(places, id).x);
    expect(wash).toBeLessThan(cut ?? 0);
    expect(cut).toBeLessThan(dry ?? 0);
  });

  it('is beneath the others where no rule is about them, row by row', () => {
    const places = placesOf(['a', 'b', 'c', 'd', 'e'], [{ from: 'a', to: 'b' }], 2);
    const [b, c, d, e] = ['b', 'c', 'd', 'e'].map((id) => at(places, id));
    expect(c?.y).toBeGreaterThanOrEqual((b?.y ?? 0) + CARD.height);
    expect(d?.y).toBe(c?.y);
    expect(e?.y).toBeGreaterThan(c?.y ?? 0);
    expect(e?.x).toBe(c?.x);
  });

  it('is no two cards on one another, even with rules both ways and rules about the unknown', () => {
    const ids = ['a', 'b', 'c', 'd'];
    const lines = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
      { from: 'a', to: 'c' },
      { from: 'a', to: 'gone' },
    ];
    const places = [...placesOf(ids, lines).values()];
    expect(places).toHaveLength(4);
    for (const [index, one] of places.entries())
      for (const other of places.slice(index + 1))
        expect(Math.abs(one.x - other.x) >= CARD.width || Math.abs(one.y - other.y) >= CARD.height).toBe(
          true,
        );
  });

  it('is nowhere when there are none', () => {
    expect(placesOf([], []).size).toBe(0);
  });
});

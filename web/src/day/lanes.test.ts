import { expect, it } from 'vitest';
import { lanesOf } from './lanes';

const span = (from: number, to: number) => ({ from, to });

it('what follows one another keeps the whole width', () => {
  expect(lanesOf([span(540, 600), span(600, 660)])).toEqual([
    { lane: 0, lanes: 1 },
    { lane: 0, lanes: 1 },
  ]);
});

it('overlapping visits are side by side, in any input order', () => {
  expect(lanesOf([span(570, 600), span(540, 600)])).toEqual([
    { lane: 1, lanes: 2 },
    { lane: 0, lanes: 2 },
  ]);
});

it('a lane that is free again is used again, and the crowd shares one width', () => {
  expect(lanesOf([span(540, 660), span(540, 570), span(580, 640), span(700, 720)])).toEqual([
    { lane: 0, lanes: 2 },
    { lane: 1, lanes: 2 },
    { lane: 1, lanes: 2 },
    { lane: 0, lanes: 1 },
  ]);
});

it('no two that overlap share a lane, of many at random', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed % below;
  };
  const spans = Array.from({ length: 200 }, () => {
    const from = random(1300);
    return span(from, from + 5 + random(120));
  });
  const lanes = lanesOf(spans);
  for (const [one, first] of spans.entries()) {
    for (const [other, second] of spans.entries()) {
      if (one >= other || first.from >= second.to || second.from >= first.to) continue;
      expect(lanes[one]?.lane).not.toBe(lanes[other]?.lane);
      expect(lanes[one]?.lanes).toBe(lanes[other]?.lanes);
    }
  }
});

it('nothing is nothing', () => {
  expect(lanesOf([])).toEqual([]);
});

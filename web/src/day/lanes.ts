import type { Span } from './spans';

export type Lane = { lane: number; lanes: number };

/**
 * Where things that share a column stand side by side: each in the first lane that is free, and as
 * wide as the crowd it belongs to lets it be. What only touches does not crowd.
 */
export function lanesOf(spans: readonly Span[]): Lane[] {
  const order = spans.map((_, index) => index).sort((one, other) => before(spans, one, other));
  const placed: Lane[] = spans.map(() => ({ lane: 0, lanes: 1 }));
  let crowd: number[] = [];
  let ends: number[] = [];
  let crowdEnd = Number.NEGATIVE_INFINITY;
  const close = () => {
    for (const index of crowd) placed[index] = { lane: placed[index]?.lane ?? 0, lanes: ends.length };
  };
  for (const index of order) {
    const span = spans[index];
    if (!span) continue;
    if (span.from >= crowdEnd) {
      close();
      crowd = [];
      ends = [];
    }
    const free = ends.findIndex((end) => end <= span.from);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = span.to;
    placed[index] = { lane, lanes: 1 };
    crowd.push(index);
    crowdEnd = Math.max(crowdEnd, span.to);
  }
  close();
  return placed;
}

/** Earlier first; of those that begin together the longer. */
function before(spans: readonly Span[], one: number, other: number): number {
  const [first, second] = [spans[one], spans[other]];
  if (!first || !second) return 0;
  return first.from - second.from || second.to - first.to || one - other;
}

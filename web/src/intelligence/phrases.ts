import type { UnmatchedPhrase } from '../gen/frontdesk/scheduling/v1/matching_pb';

/** Phrases as the contract orders them, with those that are settled where they stood. */
export function inOrder(waiting: UnmatchedPhrase[], settled: UnmatchedPhrase[]): UnmatchedPhrase[] {
  const ids = new Set(settled.map(({ id }) => id));
  return [...waiting.filter(({ id }) => !ids.has(id)), ...settled].sort(
    (one, other) => Number(other.count - one.count) || (one.id < other.id ? 1 : -1),
  );
}

/** "said once", "said 12 times". */
export function timesText(count: bigint): string {
  return count === 1n ? 'said once' : `said ${count.toLocaleString('en-GB')} times`;
}

import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

type Query = UseQueryResult<unknown> | UseInfiniteQueryResult<unknown>;

type OnceReadProps = {
  /** What decides how high the first of its parts are. */
  queries: readonly Query[];
  skeleton: ReactNode;
  children: ReactNode;
};

/** Draws parts below each other once the first are read, so that none is pushed down while it is being looked at. */
export function OnceRead({ queries, skeleton, children }: OnceReadProps) {
  const [drawn, setDrawn] = useState(false);
  // A read that failed once may take long: the others are not kept waiting for it.
  const waits = queries.some(({ isLoading, failureCount }) => isLoading && failureCount === 0);
  if (!waits && !drawn) setDrawn(true);
  return waits && !drawn ? skeleton : children;
}

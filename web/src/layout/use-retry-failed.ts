import { type Query, useQueryClient } from '@tanstack/react-query';

const hasFailed = ({ state }: Query) => state.status === 'error';

/** Retries every failed query of the screen: what made one fail usually made others fail. */
export function useRetryFailed() {
  const queries = useQueryClient();
  return () =>
    void queries.refetchQueries({ type: 'active', predicate: hasFailed }, { cancelRefetch: false });
}

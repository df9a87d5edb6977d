import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import {
  type ProviderConnection,
  type ProviderRecord,
  ProviderRecordKind,
} from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { connectionsQuery, recordsQuery } from './queries';

/** People of a booking system whose appointments there keep no time free here. */
export type Unmapped = { id: string; connection: ProviderConnection; people: readonly string[] };

/** Records are read every six hours: sooner there is nothing new to ask for. */
const FRESH_MS = 10 * 60_000;

/** The names of employees there who are mapped to none here. */
const unmappedPeople = (records: readonly ProviderRecord[]): string[] =>
  records
    .filter(({ kind, mappedId, isGone }) => kind === ProviderRecordKind.EMPLOYEE && !mappedId && !isGone)
    .map(({ name }) => name);

/** Each booking system with people who are mapped to none; asks nothing of who may not map them. */
export function useUnmapped(businessId: string, enabled: boolean) {
  const connections = useQuery({ ...connectionsQuery(businessId), enabled, staleTime: FRESH_MS });
  const connected = (enabled && connections.data?.connections) || [];
  const records = useQueries({
    queries: connected.map(({ id }) => ({ ...recordsQuery(businessId, id), staleTime: FRESH_MS })),
  });
  const unmapped: Unmapped[] = connected.flatMap((connection, place) => {
    const people = unmappedPeople(records[place]?.data?.records ?? []);
    return people.length > 0 ? [{ id: connection.id, connection, people }] : [];
  });
  const queries: UseQueryResult<unknown>[] = enabled ? [connections, ...records] : [];
  return { unmapped, queries, reading: worstOf(queries) };
}

/** Of several reads the one that keeps the rest from being shown: a failed one, or one under way. */
function worstOf(queries: readonly UseQueryResult<unknown>[]): UseQueryResult<unknown> | undefined {
  return (
    queries.find(({ data, isError }) => data === undefined && isError) ??
    queries.find(({ data }) => data === undefined) ??
    queries.find(({ isError }) => isError) ??
    queries[0]
  );
}

const NAMED = 3;

/** "Ada, Ben and 2 more are new in Square". */
export function unmappedText({
  connection,
  people,
}: Pick<Unmapped, 'people'> & { connection: { label: string } }): string {
  const named = people.slice(0, NAMED);
  const others = people.length - named.length;
  const list = new Intl.ListFormat('en-GB').format(others > 0 ? [...named, `${others} more`] : named);
  return `${list} ${people.length === 1 ? 'is' : 'are'} in ${connection.label} and mapped to no one here`;
}

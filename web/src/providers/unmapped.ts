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

/** A booking system whose people could not be read, or not anew. */
type Unread = { id: string; connection: ProviderConnection; query: UseQueryResult<unknown> };

/**
 * Each booking system with people who are mapped to none, and those that could not be read: one that fails hides no
 * other. Asks nothing of who may not map them.
 */
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
  const unread: Unread[] = connected.flatMap((connection, place) => {
    const query = records[place];
    return query?.isError ? [{ id: connection.id, connection, query }] : [];
  });
  const queries: UseQueryResult<unknown>[] = enabled ? [connections, ...records] : [];
  // Before the first of them answers there is nothing to show.
  const underWay = records.every(({ isPending }) => isPending) ? records[0] : undefined;
  const reading: UseQueryResult<unknown> | undefined = enabled ? (underWay ?? connections) : undefined;
  return { unmapped, unread, queries, reading };
}

/** What can't be shown of a booking system that could not be read. */
export const unreadWhat = ({ label }: { label: string }): string => `The people in ${label}`;

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

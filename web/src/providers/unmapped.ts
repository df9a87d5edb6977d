import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import {
  type ListProviderRecordsResponse,
  type ProviderConnection,
  type ProviderRecord,
  ProviderRecordKind,
} from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { connectionsQuery, recordsQuery } from './queries';

/** What a mapping lacks, by name. */
export type Unmapped = {
  id: string;
  connection: ProviderConnection;
  /** There, whose appointments there keep no time free here. */
  people: readonly string[];
  /** Here, whose visits are refused there. */
  services: readonly string[];
};

/** Records are read every six hours: sooner there is nothing new to ask for. */
const FRESH_MS = 10 * 60_000;

/** As many records as an answer has: which ones are missing from a longer list is unknown. */
const MOST_RECORDS = 1000;

/** The names of employees there who are mapped to none here. */
const unmappedPeople = (records: readonly ProviderRecord[]): string[] =>
  records
    // One whose appointments are still cancelled there can be mapped to no one until that is done.
    .filter(
      ({ kind, mappedId, isGone, cleanup }) =>
        kind === ProviderRecordKind.EMPLOYEE && !mappedId && !isGone && !cleanup,
    )
    .map(({ name }) => name);

/** The names of services here that none there is mapped to. */
export function unmappedServices({ records, own }: ListProviderRecordsResponse): string[] {
  const there = records.filter(({ kind, isGone }) => kind === ProviderRecordKind.SERVICE && !isGone);
  if (records.length >= MOST_RECORDS) return [];
  const mapped = new Set(there.map(({ mappedId }) => mappedId));
  return own
    .filter(({ kind, id }) => kind === ProviderRecordKind.SERVICE && !mapped.has(id))
    .map(({ name }) => name);
}

/** Visits are entered there once an employee is mapped: before, no service is missing. */
const missingServices = (connection: ProviderConnection, found: ListProviderRecordsResponse): string[] =>
  connection.needsServices &&
  found.records.some(({ kind, mappedId }) => kind === ProviderRecordKind.EMPLOYEE && mappedId)
    ? unmappedServices(found)
    : [];

/** A booking system whose records could not be read, or not anew. */
type Unread = { id: string; connection: ProviderConnection; query: UseQueryResult<unknown> };

/**
 * Each booking system with people who are mapped to none, or that services lack in, and those that could not be read:
 * one that fails hides no other. Asks nothing of who may not map them.
 */
export function useUnmapped(businessId: string, enabled: boolean) {
  const connections = useQuery({ ...connectionsQuery(businessId), enabled, staleTime: FRESH_MS });
  const connected = (enabled && connections.data?.connections) || [];
  const records = useQueries({
    queries: connected.map(({ id }) => ({ ...recordsQuery(businessId, id), staleTime: FRESH_MS })),
  });
  const unmapped: Unmapped[] = connected.flatMap((connection, place) => {
    const found = records[place]?.data;
    if (!found) return [];
    const people = unmappedPeople(found.records);
    const services = missingServices(connection, found);
    return people.length + services.length > 0 ? [{ id: connection.id, connection, people, services }] : [];
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
export const unreadWhat = ({ label }: { label: string }): string => `The people and services in ${label}`;

const NAMED = 3;

/** "Ada, Ben, Cleo and 2 more are". */
function they(names: readonly string[]): string {
  const named = names.slice(0, NAMED);
  const others = names.length - named.length;
  const list = new Intl.ListFormat('en-GB').format(others > 0 ? [...named, `${others} more`] : named);
  return `${list} ${names.length === 1 ? 'is' : 'are'}`;
}

/** "Ada and Ben are in Square and mapped to no one here". */
export const unmappedPeopleText = ({ connection, people }: Unmapped): string =>
  `${they(people)} in ${connection.label} and mapped to no one here`;

/** "Cut and Wash are mapped to no service in Square". */
export const unmappedServicesText = ({ connection, services }: Unmapped): string =>
  `${they(services)} mapped to no service in ${connection.label}`;

/** What becomes of visits with as many services that are mapped to none. */
export function unmappedServicesEffect(
  { needsServices }: Pick<ProviderConnection, 'needsServices'>,
  count: number,
): string {
  const [them, these] = count === 1 ? ['it', 'this service'] : ['them', 'these services'];
  return needsServices
    ? `Visits with ${them} are refused there.`
    : `Visits with ${them} are entered there, but not as ${these}.`;
}

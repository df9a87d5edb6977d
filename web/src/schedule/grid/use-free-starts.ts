import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { rpcWhole } from '../../api/query';
import type { Person } from '../../day/columns';
import { AvailabilityService, type Offer } from '../../gen/frontdesk/scheduling/v1/availability_pb';
import type { Service } from '../../gen/frontdesk/scheduling/v1/catalogue_pb';
import { dayAfter, instantOf } from '../../time/local';
import { minuteOn } from '../../time/local-day';
import { dayKey, moment } from '../../time/zoned';

/** Free starts by column, "2026-11-24/" and the employee's id: minutes of the salon's wall clock. */
export type FreeStarts = ReadonlyMap<string, readonly number[]>;

const freeStartsQuery = (businessId: string, serviceId: string, employeeId: string, from: Date, to: Date) =>
  rpcWhole(
    AvailabilityService.method.searchAvailability,
    {
      businessId,
      items: [{ serviceId, employeeId }],
      from: timestampFromDate(from),
      to: timestampFromDate(to),
    },
    ({ offers }) => offers,
  );

/**
 * When a service could start with each of those who do it. A search offers each start once, so each
 * of them is asked for by name.
 */
export function useFreeStarts(
  businessId: string,
  service: Service | undefined,
  people: readonly Person[],
  days: readonly string[],
  zone: string,
): { starts: FreeStarts | undefined; error: unknown } {
  const first = days[0] ?? '';
  const from = instantOf(first, 0, zone);
  const to = instantOf(dayAfter(days.at(-1) ?? first, 1), 0, zone);
  const able = service ? people.filter(({ id }) => service.employeeIds.includes(id)) : [];
  const { data, error } = useQueries({
    queries: able.map(({ id }) => freeStartsQuery(businessId, service?.id ?? '', id, from, to)),
    combine,
  });
  const ids = able.map(({ id }) => id).join();
  const starts = useMemo(() => {
    if (!data) return undefined;
    const byColumn = new Map<string, number[]>();
    for (const [index, id] of ids.split(',').entries()) {
      for (const offer of data[index] ?? []) {
        const start = moment(offer.startsAt);
        if (!start) continue;
        const key = `${dayKey(start, zone)}/${id}`;
        byColumn.set(key, [...(byColumn.get(key) ?? []), minuteOn(start, dayKey(start, zone), zone)]);
      }
    }
    return byColumn;
  }, [data, ids, zone]);
  return { starts: service ? starts : undefined, error };
}

function combine(results: UseQueryResult<Offer[]>[]): { data: Offer[][] | undefined; error: unknown } {
  const error = results.find((result) => result.error)?.error ?? null;
  const there = results.flatMap(({ data }) => (data ? [data] : []));
  return { data: there.length === results.length ? there : undefined, error };
}

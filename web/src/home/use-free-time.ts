import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { offersQuery } from '../booking/queries';
import type { Column } from '../day/columns';
import { PartOfDay, type SearchAvailabilityResponse } from '../gen/frontdesk/scheduling/v1/availability_pb';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { type FreeTime, freeTimeOf, probeFor } from './free-time';

/** What was free a while ago is free no more by the clock alone. */
const READ_AGAIN_MS = 5 * 60_000;

type Asked = {
  businessId: string;
  columns: readonly Column[];
  services: readonly Service[];
  now: Date;
  zone: string;
};

/**
 * Free time of today, as the search for bookings has it: holds and resources count, which no column shows.
 */
export function useFreeTime({ businessId, columns, services, now, zone }: Asked) {
  const probed = useMemo(
    () =>
      columns.flatMap((column) => {
        const probe = column.working.length > 0 ? probeFor(column.employeeId, services) : undefined;
        return probe ? [{ column, probe }] : [];
      }),
    [columns, services],
  );
  const reads = useQueries({
    queries: probed.map(({ column, probe }) => ({
      ...offersQuery({
        businessId,
        items: [
          {
            serviceId: probe.id,
            employeeId: column.employeeId,
            preferredEmployeeId: '',
            employeeOnly: false,
            guest: 0,
            extraMinutes: 0,
          },
        ],
        day: column.day,
        part: PartOfDay.UNSPECIFIED,
        zone,
        customerId: '',
      }),
      refetchInterval: READ_AGAIN_MS,
    })),
    combine,
  });
  const free = useMemo((): FreeTime[] | undefined => {
    const found = probed.flatMap(({ column, probe }, index) => {
      const offers = reads.answers[index]?.offers;
      return offers ? [{ column, probe, offers }] : [];
    });
    return reads.waiting ? undefined : freeTimeOf(found, services, now, zone);
  }, [probed, reads.answers, reads.waiting, services, now, zone]);
  return { free, error: reads.error, retry: reads.retry, retrying: reads.retrying };
}

function combine(results: UseQueryResult<SearchAvailabilityResponse>[]) {
  const failed = results.filter(({ data, error }) => error && data === undefined);
  return {
    answers: results.map(({ data }) => data),
    waiting: results.some(({ data, isPending }) => data === undefined && isPending),
    error: failed[0]?.error ?? null,
    retry: () => {
      for (const { refetch } of failed) void refetch();
    },
    retrying: failed.some(({ isFetching }) => isFetching),
  };
}

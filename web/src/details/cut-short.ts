import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { useMutation } from '@tanstack/react-query';
import { readOn } from '../api/read-on';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import type { BookingPolicy } from '../gen/frontdesk/scheduling/v1/booking_policy_pb';
import { aheadAmong, type Stranded } from '../team/stranded';

const MOST = 200;
const MINUTE_MS = 60_000;

/** The visits that their customers may cancel now and could not any more under another policy, the first 200. */
async function cutShortBy(businessId: string, before: BookingPolicy, minutes: number): Promise<Stranded[]> {
  if (minutes <= before.cancellationWindowMinutes) return [];
  const now = Date.now();
  const at = (notice: number) => timestampFromDate(new Date(now + notice * MINUTE_MS));
  const { appointments } = await readOn(AppointmentService.method.listAppointments, {
    businessId,
    from: at(before.cancellationWindowMinutes),
    to: at(minutes),
    pageSize: MOST,
  });
  return aheadAmong(appointments);
}

/**
 * Saves a policy at once if no customer loses the time to cancel a visit by it. Otherwise it shows those visits first,
 * and only a second press saves it.
 */
export function useCutShort(businessId: string, before: BookingPolicy, save: (policy: PolicyValues) => void) {
  const { data, isPending, error, mutate } = useMutation({
    mutationFn: async (values: PolicyValues) => ({
      values,
      visits: await cutShortBy(businessId, before, values.cancellationWindowMinutes),
    }),
    onSuccess: ({ values, visits }) => {
      if (visits.length === 0) save(values);
    },
  });
  const isShown = (values: PolicyValues) => JSON.stringify(data?.values) === JSON.stringify(values);
  /** Of these values; what was shown for others says nothing about them. */
  const shownFor = (values: PolicyValues) => (data && isShown(values) ? data.visits : []);
  return {
    shownFor,
    apply: (values: PolicyValues) => (shownFor(values).length > 0 ? save(values) : mutate(values)),
    running: isPending,
    error,
  };
}

/** A policy as a form has it. */
export type PolicyValues = Pick<
  BookingPolicy,
  'incrementMinutes' | 'leadMinutes' | 'horizonDays' | 'cancellationWindowMinutes'
>;

import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { useQuery } from '@tanstack/react-query';
import { rpcQuery } from '../api/query';
import { AccountAdminService } from '../gen/frontdesk/auth/v1/member_pb';
import { CalendarService } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { BookingHealthService } from '../gen/frontdesk/scheduling/v1/booking_health_pb';
import { CallService } from '../gen/frontdesk/telemetry/v1/call_pb';
import { BusinessService } from '../gen/frontdesk/tenancy/v1/business_pb';
import { useNow } from '../ui/use-now';
import type { HealthParts } from './health';

const HOUR_MS = 3_600_000;
export const DAYS = 7;
/** What is counted changes by itself: it is read again this often while it is on the screen. */
const READ_AGAIN_MS = 60_000;

/** Everything that is counted of some businesses: one question to each service, and each answers for itself. */
export function useHealth(businessIds: string[]) {
  // By the hour, so that what was read a moment ago is found again.
  const hour = new Date(Math.floor(useNow(60_000).getTime() / HOUR_MS) * HOUR_MS);
  const at = (days: number) => timestampFromDate(new Date(hour.getTime() + days * 24 * HOUR_MS));
  const options = { enabled: businessIds.length > 0, refetchInterval: READ_AGAIN_MS };
  const since = at(-DAYS);
  const setups = useQuery({
    ...rpcQuery(BusinessService.method.listBusinessSetups, { businessIds }),
    ...options,
  });
  const owners = useQuery({
    ...rpcQuery(AccountAdminService.method.listBusinessOwners, { businessIds }),
    ...options,
  });
  const bookings = useQuery({
    ...rpcQuery(BookingHealthService.method.listBookingHealth, { businessIds, since, until: at(DAYS) }),
    ...options,
  });
  const calls = useQuery({
    ...rpcQuery(CallService.method.listCallHealth, { businessIds, since }),
    ...options,
  });
  const calendars = useQuery({
    ...rpcQuery(CalendarService.method.listCalendarHealth, { businessIds }),
    ...options,
  });
  const parts: HealthParts = {
    setups: setups.data?.setups,
    owners: owners.data?.businesses,
    bookings: bookings.data?.bookings,
    calls: calls.data?.calls,
    calendars: calendars.data?.calendars,
  };
  const reads = { setups, owners, bookings, calls, calendars };
  const failed = Object.entries(reads).flatMap(([part, { error, data, refetch }]) =>
    error && data === undefined
      ? [{ part: part as keyof HealthParts, error, again: () => void refetch() }]
      : [],
  );
  return { parts, failed };
}

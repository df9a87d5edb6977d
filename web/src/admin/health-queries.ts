import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { useQueries } from '@tanstack/react-query';
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

type Read<Answer> = { data: Answer | undefined; error: unknown; refetch: () => unknown };

/** From when on calls and past visits are counted; by the hour, so that what was read a moment ago is found again. */
export function useSince(): Date {
  const hour = Math.floor(useNow(60_000).getTime() / HOUR_MS);
  return new Date((hour - DAYS * 24) * HOUR_MS);
}

/** Everything that is counted of businesses, page by page: one question to each service, and each answers for itself. */
export function useHealth(pages: readonly string[][]) {
  const start = useSince();
  const since = timestampFromDate(start);
  const until = timestampFromDate(new Date(start.getTime() + 2 * DAYS * 24 * HOUR_MS));
  const reads = {
    setups: useQueries({
      queries: pages.map((businessIds) => ({
        ...rpcQuery(BusinessService.method.listBusinessSetups, { businessIds }),
        ...readAgain(businessIds),
      })),
    }),
    owners: useQueries({
      queries: pages.map((businessIds) => ({
        ...rpcQuery(AccountAdminService.method.listBusinessOwners, { businessIds }),
        ...readAgain(businessIds),
      })),
    }),
    bookings: useQueries({
      queries: pages.map((businessIds) => ({
        ...rpcQuery(BookingHealthService.method.listBookingHealth, { businessIds, since, until }),
        ...readAgain(businessIds),
      })),
    }),
    calls: useQueries({
      queries: pages.map((businessIds) => ({
        ...rpcQuery(CallService.method.listCallHealth, { businessIds, since }),
        ...readAgain(businessIds),
      })),
    }),
    calendars: useQueries({
      queries: pages.map((businessIds) => ({
        ...rpcQuery(CalendarService.method.listCalendarHealth, { businessIds }),
        ...readAgain(businessIds),
      })),
    }),
  };
  const parts: HealthParts = {
    setups: joined(reads.setups, ({ setups }) => setups),
    owners: joined(reads.owners, ({ businesses }) => businesses),
    bookings: joined(reads.bookings, ({ bookings }) => bookings),
    calls: joined(reads.calls, ({ calls }) => calls),
    calendars: joined(reads.calendars, ({ calendars }) => calendars),
  };
  const failed = Object.entries<Read<unknown>[]>(reads).flatMap(([part, answers]) => {
    const lacking = answers.filter(({ error, data }) => error && data === undefined);
    const again = () => {
      for (const { refetch } of lacking) void refetch();
    };
    return lacking.slice(0, 1).map(({ error }) => ({
      part: part as keyof HealthParts,
      /** Of some businesses it is known. */
      partly: parts[part as keyof HealthParts] !== undefined,
      error,
      again,
    }));
  });
  return { parts, failed };
}

const readAgain = (businessIds: string[]) => ({
  enabled: businessIds.length > 0,
  refetchInterval: READ_AGAIN_MS,
});

/** The answers that have come, in one list; undefined until there is one. */
function joined<Answer, Part>(
  answers: Read<Answer>[],
  partOf: (answer: Answer) => Part[],
): Part[] | undefined {
  const come = answers.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return come.length > 0 ? come.flatMap(partOf) : undefined;
}

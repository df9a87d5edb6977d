import type { QueryFunction, QueryFunctionContext } from '@tanstack/react-query';
import { call } from '../api/call';
import { queries } from '../api/query-client';
import { CONFLICTS, conflictsQuery, NEXT_APPOINTMENTS, nextAppointmentPages } from '../appointments/queries';
import { businessQuery, openingHoursQuery } from '../business/queries';
import { RECENT_CALLS, recentCallsQuery } from '../calls/queries';
import { type GetHomeResponse, HomeService } from '../gen/frontdesk/home/v1/home_pb';
import { dayQuery } from '../schedule/queries';

/**
 * Reads what the home shows at once in one request, and files each part as the answer of its own query. A part that
 * the request does not bring is read by itself, so that its place shows what happened to it.
 */
export function readHome(businessId: string): Promise<unknown>[] {
  const home = askForHome(businessId);
  const [business, openingHours] = [businessQuery(businessId), openingHoursQuery(businessId)];
  const [appointments, conflicts] = [nextAppointmentPages(businessId), conflictsQuery(businessId)];
  const calls = recentCallsQuery(businessId);
  return [
    queries.prefetchQuery({
      ...business,
      queryFn: partOf(home, (parts) => parts.business, business.queryFn),
    }),
    queries.prefetchQuery({
      ...openingHours,
      queryFn: partOf(home, (parts) => parts.openingHours, openingHours.queryFn),
    }),
    queries.prefetchInfiniteQuery({
      ...appointments,
      queryFn: partOf(home, (parts) => parts.appointments, appointments.queryFn),
    }),
    queries.prefetchQuery({
      ...conflicts,
      queryFn: partOf(home, (parts) => parts.conflicts, conflicts.queryFn),
    }),
    queries.prefetchQuery({ ...calls, queryFn: partOf(home, (parts) => parts.calls, calls.queryFn) }),
  ];
}

async function askForHome(businessId: string): Promise<GetHomeResponse | undefined> {
  const asked = { businessId, appointments: NEXT_APPOINTMENTS, conflicts: CONFLICTS, calls: RECENT_CALLS };
  const home = await call(HomeService.method.getHome, asked).catch(() => undefined);
  // The salon's date is known with its zone, which arrives with the same answer.
  const { today } = home ?? {};
  const date = today?.days[0]?.date;
  if (date) queries.setQueryData(dayQuery(businessId, date, date).queryKey, today);
  return home;
}

function partOf<T, Key extends readonly unknown[], Page>(
  home: Promise<GetHomeResponse | undefined>,
  pick: (parts: GetHomeResponse) => T | undefined,
  alone: QueryFunction<T, Key, Page> | undefined | symbol,
): QueryFunction<T, Key, Page> {
  return async (context: QueryFunctionContext<Key, Page>) => {
    const parts = await home;
    const part = parts && pick(parts);
    if (part !== undefined) return part;
    if (typeof alone !== 'function') throw new Error('The part can’t be read by itself.');
    return alone(context);
  };
}

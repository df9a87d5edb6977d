import { rpcQuery } from '../api/query';
import { CalendarService, type ListCalendarsResponse } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { isStuck } from './state';

const MOST = 200;
/** The live socket does not report calendar reads: they are polled this often. */
const READ_AGAIN_MS = 60_000;
/** While appointments are taken out of one, a person watches; while that fails, a person is waited for. */
const TAKEN_OUT_MS = 1_000;
const STUCK_MS = 10_000;

function refreshInterval(calendars: Pick<ListCalendarsResponse, 'ending'> | undefined): number {
  if (!calendars?.ending.length) return READ_AGAIN_MS;
  return calendars.ending.every(isStuck) ? STUCK_MS : TAKEN_OUT_MS;
}

export const calendarsQuery = (businessId: string) => ({
  ...rpcQuery(CalendarService.method.listCalendars, { businessId, pageSize: MOST }),
  refetchInterval: ({ state }: { state: { data?: ListCalendarsResponse | undefined } }) =>
    refreshInterval(state.data),
});

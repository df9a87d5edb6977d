import { rpcQuery } from '../api/query';
import { CalendarService, type ListCalendarsResponse } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { isOutOfStep, isUnwritten } from './state';

const MOST = 200;
/** The live socket does not report calendar reads: they are polled this often, and more often while one needs a look. */
const READ_AGAIN_MS = 60_000;
const WATCH_MS = 5_000;

export const calendarsQuery = (businessId: string) => ({
  ...rpcQuery(CalendarService.method.listCalendars, { businessId, pageSize: MOST }),
  refetchInterval: ({ state }: { state: { data: ListCalendarsResponse | undefined } }) =>
    state.data?.calendars.some((calendar) => isOutOfStep(calendar) || isUnwritten(calendar))
      ? WATCH_MS
      : READ_AGAIN_MS,
});

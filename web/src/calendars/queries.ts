import { rpcQuery } from '../api/query';
import { CalendarService } from '../gen/frontdesk/calendarsync/v1/calendar_pb';

const MOST = 200;
/** The live socket does not report calendar reads: they are polled this often. */
const READ_AGAIN_MS = 60_000;

export const calendarsQuery = (businessId: string) => ({
  ...rpcQuery(CalendarService.method.listCalendars, { businessId, pageSize: MOST }),
  refetchInterval: READ_AGAIN_MS,
});

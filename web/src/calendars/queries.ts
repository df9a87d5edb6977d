import { rpcQuery } from '../api/query';
import {
  type Calendar,
  CalendarService,
  ShortfallReason,
} from '../gen/frontdesk/calendarsync/v1/calendar_pb';

const MOST = 200;
/** Nothing tells of calendars as they are read: what is shown is read again this often. */
const READ_AGAIN_MS = 60_000;

export const calendarsQuery = (businessId: string) => ({
  ...rpcQuery(CalendarService.method.listCalendars, { businessId, pageSize: MOST }),
  refetchInterval: READ_AGAIN_MS,
});

export const isOutOfStep = ({ lastError }: Calendar): boolean => lastError !== '';

/** Whether it has an event that can't be read, which only its owner can mend. */
export const hasUnread = ({ shortfalls }: Calendar): boolean =>
  shortfalls.some(({ reason }) => reason === ShortfallReason.REFUSED);

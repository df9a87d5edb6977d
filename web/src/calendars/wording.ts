import type { Calendar } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { agoText } from '../time/ago';
import { moment } from '../time/zoned';

/** "read 5 minutes ago". */
export function readText({ syncedAt }: Calendar, now: Date): string {
  const read = moment(syncedAt);
  return read ? `read ${agoText(read < now ? read : now, now)}` : 'not read yet';
}

import { type Timestamp, timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { LeastRole } from '../api/access';
import { type DueText, dueDayText, dueText } from '../follow-ups/due';
import type { Calendar } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import type { Conflict } from '../gen/frontdesk/scheduling/v1/conflict_pb';
import type { TimeOff } from '../gen/frontdesk/scheduling/v1/time_off_pb';

/**
 * When the rows of the inbox are due, and who owns them. In the contract only follow-ups have an owner and
 * a due time. The others are due when they take effect, and belong to every user who may settle them.
 */

const DAY_MS = 86_400_000;

const OWNERS: Record<LeastRole, string> = {
  ADMIN: 'For an administrator',
  OWNER: 'For the owner',
  MANAGER: 'For a manager',
  EMPLOYEE: 'For anyone',
  GUEST: 'For anyone',
  PUBLIC: 'For anyone',
};

/** Who it waits for, from who may settle it. */
export const ownerOf = (least: LeastRole): string => OWNERS[least];

/** Before the first of the two begins. */
export function conflictDue({ startsAt, appointment }: Conflict, zone: string, now: Date) {
  const starts = [startsAt, appointment?.startsAt].filter((one): one is Timestamp => one !== undefined);
  const [first] = starts.sort((one, other) => Number(one.seconds - other.seconds));
  return dueText(first, zone, now);
}

/** Before they would be away. */
export function timeOffDue({ firstDate, startsAt }: TimeOff, zone: string, now: Date): DueText | undefined {
  return firstDate ? dueDayText(firstDate, zone, now) : dueText(startsAt, zone, now);
}

/** A day after it was last read: until then it may come back by itself. */
export function calendarDue({ syncedAt }: Calendar, zone: string, now: Date): DueText | undefined {
  if (!syncedAt) return undefined;
  return dueText(timestampFromDate(new Date(timestampDate(syncedAt).getTime() + DAY_MS)), zone, now);
}

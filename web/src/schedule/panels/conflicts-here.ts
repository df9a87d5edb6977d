import type { Conflict } from '../../gen/frontdesk/scheduling/v1/conflict_pb';
import { dayKey, moment } from '../../time/zoned';

/** Conflicts of which either side is on a day. */
export function conflictsOn(conflicts: readonly Conflict[], day: string, zone: string): Conflict[] {
  return conflicts.filter(({ startsAt, endsAt, appointment }) => {
    const [from, to, booked] = [moment(startsAt), moment(endsAt), moment(appointment?.startsAt)];
    const busy = from && to && dayKey(from, zone) <= day && day <= dayKey(to, zone);
    return busy || (booked !== null && dayKey(booked, zone) === day);
  });
}

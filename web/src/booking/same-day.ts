import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Offer } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { dayKey, moment } from '../time/zoned';

/** Visits on the day of an offer, there, and whether they share time with it. */
export function sameDayVisits(
  visits: readonly Appointment[],
  { startsAt, endsAt }: Pick<Offer, 'startsAt' | 'endsAt'>,
  zone: string,
): { visit: Appointment; meanwhile: boolean }[] {
  const [from, to] = [moment(startsAt), moment(endsAt)];
  if (!from || !to) return [];
  return visits.flatMap((visit) => {
    const [start, end] = [moment(visit.startsAt), moment(visit.endsAt)];
    if (!start || !end || dayKey(start, zone) !== dayKey(from, zone)) return [];
    return [{ visit, meanwhile: start < to && from < end }];
  });
}

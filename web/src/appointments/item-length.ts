import { extraText } from '../day/lengths';
import type { PlacedItem } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { minutesText, moment } from '../time/zoned';

/** "45 min", or "1 h (15 min longer than usual)" where it was planned otherwise. */
export function lengthText(item: Pick<PlacedItem, 'startsAt' | 'endsAt' | 'extraMinutes'>): string {
  const [from, to] = [moment(item.startsAt), moment(item.endsAt)];
  if (!from || !to) return '';
  const minutes = minutesText(Math.round((to.getTime() - from.getTime()) / 60_000));
  const extra = extraText(item.extraMinutes);
  return extra ? `${minutes} (${extra} than usual)` : minutes;
}

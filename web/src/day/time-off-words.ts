import { type TimeOff, TimeOffKind, TimeOffState } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { datesText } from '../time/day-text';
import { dateAndTime, dayKey, moment, timeOfDay } from '../time/zoned';
import type { Tone } from '../ui/badge';

export const KIND_NAMES: Record<TimeOffKind, string> = {
  // The reason for a colleague's absence is private.
  [TimeOffKind.UNSPECIFIED]: 'Time off',
  [TimeOffKind.HOLIDAY]: 'Holiday',
  [TimeOffKind.SICK]: 'Sick',
  [TimeOffKind.TRAINING]: 'Training',
  [TimeOffKind.OTHER]: 'Time off',
};

/** Its name alone under a heading that says already that it is time off; empty for time off as such. */
export const kindText = (kind: TimeOffKind): string =>
  KIND_NAMES[kind] === KIND_NAMES[TimeOffKind.OTHER] ? '' : KIND_NAMES[kind];

/** What time off is for, where a person chooses it: its heading says already that it is time off. */
export const KIND_CHOICES = [
  [TimeOffKind.HOLIDAY, 'Holiday'],
  [TimeOffKind.SICK, 'Sick'],
  [TimeOffKind.TRAINING, 'Training'],
  [TimeOffKind.OTHER, 'Other'],
] as const;

export const STATES: Record<TimeOffState, { label: string; tone: Tone }> = {
  [TimeOffState.UNSPECIFIED]: { label: 'Unknown', tone: 'quiet' },
  [TimeOffState.REQUESTED]: { label: 'To decide', tone: 'warn' },
  [TimeOffState.APPROVED]: { label: 'Approved', tone: 'good' },
  [TimeOffState.DECLINED]: { label: 'Declined', tone: 'bad' },
  [TimeOffState.WITHDRAWN]: { label: 'Taken back', tone: 'quiet' },
};

/** "24 Dec 2026 – 2 Jan 2027", or the hours where it is not whole days. */
export function whenText({ startsAt, endsAt, firstDate, lastDate }: TimeOff, zone: string): string {
  if (firstDate) return datesText(firstDate, lastDate);
  const [from, to] = [moment(startsAt), moment(endsAt)];
  if (!from || !to) return '';
  const end = dayKey(from, zone) === dayKey(to, zone) ? timeOfDay(to, zone) : dateAndTime(to, zone);
  return `${dateAndTime(from, zone)} – ${end}`;
}

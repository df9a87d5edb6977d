import {
  type Contact,
  type StrandedAppointment,
  StrandedReason,
} from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { inSentence } from '../time/in-sentence';
import { dayName, moment, timeOfDay } from '../time/zoned';

/** Why an employee does not serve then: "Noah is away". */
export function whyText({ reason, employeeName }: StrandedAppointment): string {
  const [first = 'The employee'] = (employeeName || 'The employee').split(' ', 1);
  const name = employeeName ? first : 'The employee';
  switch (reason) {
    case StrandedReason.CLOSED:
      return 'The salon is closed';
    case StrandedReason.TIME_OFF:
      return `${name} is away`;
    default:
      return `${name} does not work then`;
  }
}

/** "No answer today, 10:12 (Ana)", "No answer 3 times, last today, 10:12 (Ana) · “mailbox full”"; empty before the first call. */
export function calledText(contacts: readonly Contact[], zone: string, now: Date): string {
  const [latest] = contacts;
  const at = moment(latest?.recordedAt);
  if (!latest || !at) return '';
  const by = latest.recordedByName && ` (${latest.recordedByName})`;
  const when = `${inSentence(dayName(at, zone, now))}, ${timeOfDay(at, zone)}${by}`;
  const times =
    contacts.length === 1 ? `No answer ${when}` : `No answer ${contacts.length} times, last ${when}`;
  return latest.note ? `${times} · “${latest.note}”` : times;
}

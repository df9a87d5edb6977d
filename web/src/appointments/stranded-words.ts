import {
  type Contact,
  type StrandedAppointment,
  StrandedReason,
} from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { inSentence } from '../time/in-sentence';
import { dayName, moment, timeOfDay } from '../time/zoned';

/** Whether a visit went by while its customer was still expected. */
export function isOver({ endsAt }: StrandedAppointment, now: Date): boolean {
  const end = moment(endsAt);
  return Boolean(end && end <= now);
}

/** Why an employee does not serve then: "Noah is away"; "Noah was away" once the visit is over. */
export function whyText({ reason, employeeName }: StrandedAppointment, over = false): string {
  const [first = 'The employee'] = (employeeName || 'The employee').split(' ', 1);
  const name = employeeName ? first : 'The employee';
  switch (reason) {
    case StrandedReason.CLOSED:
      return over ? 'The salon was closed' : 'The salon is closed';
    case StrandedReason.TIME_OFF:
      return `${name} ${over ? 'was' : 'is'} away`;
    default:
      return `${name} ${over ? 'did not work' : 'does not work'} then`;
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

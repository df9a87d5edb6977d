import { actorName } from '../business/actor-name';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { inSentence } from '../time/in-sentence';
import { dayName, moment, timeOfDay } from '../time/zoned';

/** Who reads it: the salon's employees, and the account that is signed in. */
export type Readers = { employees: readonly Pick<Employee, 'name' | 'userId'>[]; userId: string };

type Cancelled = Pick<Appointment, 'cancellation' | 'lateCancellation'>;

/** "Cancelled by Mia Larsen, yesterday, 10:02, at short notice." and the reason; nothing while it stands. */
export function cancellationText(
  { cancellation, lateCancellation }: Cancelled,
  { employees, userId }: Readers,
  zone: string,
  now: Date,
): string {
  if (!cancellation) return '';
  const { cancelledBy, cancelledAt, reason } = cancellation;
  const at = moment(cancelledAt);
  const who = nameOf(cancelledBy, employees, userId);
  const parts = [
    who ? `Cancelled by ${who}` : 'Cancelled',
    at && inSentence(`${dayName(at, zone, now)}, ${timeOfDay(at, zone)}`),
    lateCancellation && 'at short notice',
  ];
  return `${parts.filter(Boolean).join(', ')}.${reason ? ` “${reason}”` : ''}`;
}

/** The agent cancels only for the customer who calls. */
function nameOf(by: string, employees: Readers['employees'], userId: string): string {
  if (by.startsWith('agent:')) return 'the customer by phone';
  const name = actorName(by, employees, userId);
  return name === 'You' || name === 'A team member'
    ? name.replace(/^./, (letter) => letter.toLowerCase())
    : name;
}

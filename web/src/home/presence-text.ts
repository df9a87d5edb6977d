import { minuteText } from '../day/opening';
import { AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Doing, Presence } from './presence';

/** "until 18:00", "back at 14:00": how long the employee is here, or from when. */
export function presenceText(presence: Presence): string {
  switch (presence.kind) {
    case 'here':
      return presence.again === undefined
        ? `until ${minuteText(presence.until)}`
        : `until ${minuteText(presence.until)}, back at ${minuteText(presence.again)}`;
    case 'later':
      return presence.returning
        ? `back at ${minuteText(presence.from)}`
        : `from ${minuteText(presence.from)}`;
    case 'gone':
      return `left at ${minuteText(presence.since)}`;
    case 'off':
      return presence.why;
  }
}

/** "With Priya Nair until 11:00", "Free until 12:30". */
export function doingText(doing: Doing): string {
  switch (doing.kind) {
    case 'visit':
      return `${visitText(doing.customer, doing.state)} until ${minuteText(doing.until)}`;
    case 'other':
      return `${doing.title} until ${minuteText(doing.until)}`;
    case 'free':
      return doing.until === undefined
        ? 'Free for the rest of the shift'
        : `Free until ${minuteText(doing.until)}`;
  }
}

function visitText(customer: string, state: AppointmentState): string {
  switch (state) {
    case AppointmentState.IN_SERVICE:
      return `With ${customer}`;
    case AppointmentState.ARRIVED:
      return `${customer} is here`;
    default:
      return `Booked for ${customer}`;
  }
}

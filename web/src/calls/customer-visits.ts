import { type Appointment, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { moment } from '../time/zoned';

const DAY_MS = 86_400_000;
/** The contract's longest span. */
const AHEAD_DAYS = 62;
const BACK_DAYS = 56;
/** The past is read week by week, the last first: whoever rings was mostly here not long ago. */
const STEP_DAYS = 7;
/** Of two hundred visits each: no call is worth reading a large salon's year. */
const MOST_PAGES = 8;

export type Page = { appointments: Appointment[]; nextPageToken: string };
export type ReadPage = (from: Date, to: Date, pageToken: string) => Promise<Page>;

/** A visit, or that there is none up to an instant: nobody looked beyond. */
export type Sought = { appointment: Appointment } | { lookedUpTo: Date };

const counts = (appointment: Appointment, customerId: string) =>
  appointment.customerId === customerId && appointment.state !== AppointmentState.CANCELLED;

/** A customer's next visit. The contract lists visits by time alone. */
export async function nextVisitOf(customerId: string, now: Date, read: ReadPage): Promise<Sought> {
  const end = new Date(now.getTime() + AHEAD_DAYS * DAY_MS);
  let pageToken = '';
  let seen = now;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { appointments, nextPageToken } = await read(now, end, pageToken);
    const appointment = appointments.find((candidate) => counts(candidate, customerId));
    if (appointment) return { appointment };
    if (!nextPageToken) return { lookedUpTo: end };
    seen = moment(appointments.at(-1)?.startsAt) ?? seen;
    pageToken = nextPageToken;
  }
  return { lookedUpTo: seen };
}

/** The visit a customer had last. */
export async function lastVisitOf(customerId: string, now: Date, read: ReadPage): Promise<Sought> {
  const earliest = now.getTime() - BACK_DAYS * DAY_MS;
  let to = now;
  let left = MOST_PAGES;
  while (to.getTime() > earliest) {
    const from = new Date(Math.max(earliest, to.getTime() - STEP_DAYS * DAY_MS));
    let pageToken = '';
    let last: Appointment | undefined;
    do {
      // Half a week tells nothing: the rest of it may have a later one.
      if (left === 0) return { lookedUpTo: to };
      left -= 1;
      const { appointments, nextPageToken } = await read(from, to, pageToken);
      last = appointments.findLast((candidate) => counts(candidate, customerId)) ?? last;
      pageToken = nextPageToken;
    } while (pageToken);
    if (last) return { appointment: last };
    to = from;
  }
  return { lookedUpTo: to };
}

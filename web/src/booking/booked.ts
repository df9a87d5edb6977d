import { readVisitsAgain } from '../business/read-visits-again';
import { undoAction } from '../business/undo-change';
import { customerOf, whenAndWho } from '../day/naming';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Series } from '../gen/frontdesk/scheduling/v1/series_pb';
import { toasts } from '../ui/toasts';

type Told = {
  businessId: string;
  appointment: Appointment;
  zone: string;
  /** What takes it back. */
  changeId: string;
  /** The customer waited for it, and waits again once it is taken back. */
  waited?: boolean;
  open: () => void;
};

/** What an undo of a booking says. */
export const takenBackText = (visits: number): string =>
  visits > 1
    ? `Taken back. The time of all ${visits} visits is free again.`
    : 'Taken back. The time is free again.';

/** A toast about a new booking, with a link to it and an undo. */
export function tellBooked({ businessId, appointment, zone, changeId, waited = false, open }: Told): void {
  readVisitsAgain();
  const text = `${customerOf(appointment)} is booked: ${whenAndWho(appointment, zone)}.`;
  const undone = waited ? `${customerOf(appointment)} waits again. The time is free.` : takenBackText(1);
  toasts.show('good', text, undoAction(businessId, changeId, undone), { label: 'Open', run: open });
}

type ToldOfSeries = {
  businessId: string;
  series: Series;
  /** What takes the booking back. */
  changeId: string;
  zone: string;
  open: () => void;
};

export function tellSeriesBooked({ businessId, series, changeId, zone, open }: ToldOfSeries): void {
  readVisitsAgain();
  const [first] = series.appointments;
  if (!first) return;
  const text = `${series.appointments.length} visits of ${customerOf(first)} are booked, from ${whenAndWho(first, zone)}.`;
  const undo = undoAction(businessId, changeId, takenBackText(series.appointments.length));
  toasts.show('good', text, undo, { label: 'Open', run: open });
}

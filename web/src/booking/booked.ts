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

/** A toast about a new booking, with a link to it and an undo. */
export function tellBooked({ businessId, appointment, zone, changeId, waited = false, open }: Told): void {
  readVisitsAgain();
  const text = `${customerOf(appointment)} is booked: ${whenAndWho(appointment, zone)}.`;
  const undone = waited
    ? `${customerOf(appointment)} waits again. The time is free.`
    : 'Taken back. The time is free again.';
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
  const taken = `Taken back. The time of all ${series.appointments.length} visits is free again.`;
  const undo = undoAction(businessId, changeId, taken);
  toasts.show('good', text, undo, { label: 'Open', run: open });
}

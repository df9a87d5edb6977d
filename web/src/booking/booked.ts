import { call } from '../api/call';
import { readVisitsAgain } from '../business/read-visits-again';
import { undoBooking } from '../business/undo-visit';
import { customerOf, whenAndWho } from '../day/naming';
import { type Appointment, AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { type Series, SeriesService } from '../gen/frontdesk/scheduling/v1/series_pb';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';

type Told = { businessId: string; appointment: Appointment; zone: string; open: () => void };

/** A toast about a new booking, with a link to it and an undo. */
export function tellBooked({ businessId, appointment, zone, open }: Told): void {
  readVisitsAgain();
  const text = `${customerOf(appointment)} is booked: ${whenAndWho(appointment, zone)}.`;
  const undo = undos.push(
    undoBooking(() =>
      call(AppointmentService.method.cancelAppointment, { businessId, appointmentId: appointment.id }),
    ),
  );
  toasts.show('good', text, undo, { label: 'Open', run: open });
}

type ToldOfSeries = { businessId: string; series: Series; zone: string; open: () => void };

export function tellSeriesBooked({ businessId, series, zone, open }: ToldOfSeries): void {
  readVisitsAgain();
  const [first] = series.appointments;
  if (!first) return;
  const text = `${series.appointments.length} visits of ${customerOf(first)} are booked, from ${whenAndWho(first, zone)}.`;
  const undo = undos.push(
    undoBooking(() =>
      call(SeriesService.method.cancelRestOfSeries, {
        businessId,
        seriesId: series.id,
        fromAppointmentId: first.id,
      }),
    ),
  );
  toasts.show('good', text, undo, { label: 'Open', run: open });
}

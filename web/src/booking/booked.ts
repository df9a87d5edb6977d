import { call } from '../api/call';
import { readVisitsAgain } from '../business/read-visits-again';
import { customerOf } from '../day/naming';
import { type Appointment, AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { type Series, SeriesService } from '../gen/frontdesk/scheduling/v1/series_pb';
import { messageOf } from '../http/errors';
import { dayName, moment, timeOfDay } from '../time/zoned';
import { toasts } from '../ui/toasts';

/** "Today, 14:05 with Maya Okafor". */
function whenAndWho(appointment: Appointment, zone: string): string {
  const from = moment(appointment.startsAt);
  const names = [...new Set(appointment.items.map(({ employeeName }) => employeeName).filter(Boolean))];
  const when = from ? `${dayName(from, zone, new Date())}, ${timeOfDay(from, zone)}` : '';
  return names.length > 0 ? `${when} with ${new Intl.ListFormat('en-GB').format(names)}` : when;
}

type Told = { businessId: string; appointment: Appointment; zone: string; open: () => void };

/** A toast about a new booking, with a link to it and an undo. */
export function tellBooked({ businessId, appointment, zone, open }: Told): void {
  readVisitsAgain();
  const text = `${customerOf(appointment)} is booked: ${whenAndWho(appointment, zone)}.`;
  const undo = () =>
    takeBack(() =>
      call(AppointmentService.method.cancelAppointment, { businessId, appointmentId: appointment.id }),
    );
  toasts.show('good', text, { label: 'Undo', run: undo }, { label: 'Open', run: open });
}

type ToldOfSeries = { businessId: string; series: Series; zone: string; open: () => void };

export function tellSeriesBooked({ businessId, series, zone, open }: ToldOfSeries): void {
  readVisitsAgain();
  const [first] = series.appointments;
  if (!first) return;
  const text = `${series.appointments.length} visits of ${customerOf(first)} are booked, from ${whenAndWho(first, zone)}.`;
  const undo = () =>
    takeBack(() =>
      call(SeriesService.method.cancelRestOfSeries, {
        businessId,
        seriesId: series.id,
        fromAppointmentId: first.id,
      }),
    );
  toasts.show('good', text, { label: 'Undo', run: undo }, { label: 'Open', run: open });
}

function takeBack(cancel: () => Promise<unknown>): void {
  cancel()
    .then(() => {
      readVisitsAgain();
      toasts.show('info', 'Taken back. The time is free again.');
    })
    .catch((error: unknown) => toasts.show('bad', messageOf(error, 'The booking could not be taken back.')));
}

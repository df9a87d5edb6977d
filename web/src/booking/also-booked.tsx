import { useQuery } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { upcomingQuery } from '../appointments/queries';
import { employeesOf, servicesOf } from '../day/naming';
import type { Offer } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { moment, timeSpan } from '../time/zoned';
import { Note } from '../ui/states';
import { sameDayVisits } from './same-day';

type AlsoBookedProps = { businessId: string; customerId: string; offer: Offer; zone: string };

/** What the customer comes for on the same day already: it may be the same wish, told twice. */
export function AlsoBooked({ businessId, customerId, offer, zone }: AlsoBookedProps) {
  const { data } = useQuery({ ...upcomingQuery(businessId, customerId), enabled: customerId !== '' });
  const visits = sameDayVisits(data?.appointments ?? [], offer, zone);
  return visits.map(({ visit, meanwhile }) => {
    const [from, to] = [moment(visit.startsAt), moment(visit.endsAt)];
    const when = from && to ? timeSpan(from, to, zone) : '';
    const whom = employeesOf(visit);
    const what = [when, servicesOf(visit), whom && `with ${whom}`].filter(Boolean).join(', ');
    return (
      <Note key={visit.id} tone={meanwhile ? 'warn' : 'info'} icon={CalendarClock}>
        {meanwhile ? 'Booked at that time already' : 'Also booked that day'}: {what}.
      </Note>
    );
  });
}

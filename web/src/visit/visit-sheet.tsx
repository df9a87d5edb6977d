import { useQuery } from '@tanstack/react-query';
import { businessQuery } from '../business/queries';
import { customerOf } from '../day/naming';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { longDayText } from '../time/day-text';
import { dateAndTime, dayKey, moment, timeSpan } from '../time/zoned';
import { PrintSheet } from '../ui/print-sheet';
import { pricesOf } from './prices';

/** A visit on paper, to hand over: what was booked, when, with whom and for how much. No proof of payment. */
export function VisitSheet({
  businessId,
  visit,
  zone,
}: {
  businessId: string;
  visit: Appointment;
  zone: string;
}) {
  const business = useQuery(businessQuery(businessId)).data?.business?.name;
  const prices = pricesOf(visit);
  const [start, end] = [moment(visit.startsAt), moment(visit.endsAt)];
  const hasGuests = visit.items.some(({ guest }) => guest > 0);
  return (
    <PrintSheet>
      <h1>{business ?? 'Your visit'}</h1>
      {start && end && (
        <p>
          {longDayText(dayKey(start, zone))}, {timeSpan(start, end, zone)}
          {visit.customerId && ` · ${customerOf(visit)}`}
        </p>
      )}
      <table>
        <thead>
          <tr>
            <th>Service</th>
            <th>With</th>
            <th>Time</th>
            <th className="figure">{prices ? 'Price' : ''}</th>
          </tr>
        </thead>
        <tbody>
          {visit.items.map((item, index) => {
            const [from, to] = [moment(item.startsAt), moment(item.endsAt)];
            return (
              <tr key={`${item.serviceId}-${item.guest}-${from?.getTime()}`}>
                <td>
                  {item.serviceName}
                  {hasGuests && ` (guest ${item.guest + 1})`}
                </td>
                <td>{item.employeeName}</td>
                <td className="time">{from && to && timeSpan(from, to, zone)}</td>
                <td className="figure">{prices?.items[index]}</td>
              </tr>
            );
          })}
          {prices && (
            <tr className="strong">
              <td colSpan={3}>Total</td>
              <td className="figure">{prices.total}</td>
            </tr>
          )}
        </tbody>
      </table>
      <p className="aside" style={{ marginTop: '8pt' }}>
        {prices && 'At list prices when it was booked; not a receipt for a payment. '}
        Printed {dateAndTime(new Date(), zone)}.
      </p>
    </PrintSheet>
  );
}

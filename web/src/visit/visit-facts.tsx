import { PhoneOf } from '../business/contact-fact';
import { customerOf } from '../day/naming';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { dateAndTime, moment } from '../time/zoned';
import { Fact, Facts } from '../ui/facts';
import { moneyText } from '../ui/money';

/** Who comes, for how much, and where the visit comes from. */
export function VisitFacts({
  businessId,
  visit,
  zone,
}: {
  businessId: string;
  visit: Appointment;
  zone: string;
}) {
  const created = moment(visit.createdAt);
  return (
    <Facts>
      {visit.customerId && (
        <Fact name="Customer">
          <TextLink to={paths.customer(businessId, visit.customerId)}>{customerOf(visit)}</TextLink>
        </Fact>
      )}
      <Fact name="Phone">
        <PhoneOf phone={visit.customerPhone} hidden={visit.contactHidden} />
      </Fact>
      <Fact name="Price">{moneyText(visit.priceMinor, visit.currency) || 'Not set'}</Fact>
      {visit.notes && (
        <Fact name="Notes" long>
          {visit.notes}
        </Fact>
      )}
      <Fact name="Booked" long>
        {created && dateAndTime(created, zone)}
        {visit.callId && (
          <>
            {' in '}
            <TextLink to={paths.call(businessId, visit.callId)}>this call</TextLink>
          </>
        )}
      </Fact>
    </Facts>
  );
}

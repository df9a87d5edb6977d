import { PhoneOf } from '../business/contact-fact';
import { customerOf } from '../day/naming';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { Fact, Facts } from '../ui/facts';

type FactsProps = { businessId: string; visit: Appointment };

/** Who comes, how to reach them, and what was noted: read before anything is done with the visit. */
export function VisitCustomer({ businessId, visit }: FactsProps) {
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
      {visit.notes && (
        <Fact name="Notes" long>
          {visit.notes}
        </Fact>
      )}
    </Facts>
  );
}

/** The call that the visit was booked in, or from. When it was booked is in the history. */
export function VisitCall({
  businessId,
  visit,
  bookedBy,
}: FactsProps & {
  /** Who booked it, by the audit trail's name. */
  bookedBy: string;
}) {
  if (!visit.callId) return null;
  return (
    <Facts>
      <Fact name="Booked" long>
        {whence(bookedBy)} <TextLink to={paths.call(businessId, visit.callId)}>this call</TextLink>
      </Fact>
    </Facts>
  );
}

/** A person books beside the call or after it. Who it was is in the history, which may still be read. */
function whence(bookedBy: string): string {
  if (!bookedBy) return 'From';
  return bookedBy.startsWith('user:') ? 'By the team from' : 'In';
}

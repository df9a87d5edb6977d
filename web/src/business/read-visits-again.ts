import { methodKey } from '../api/query';
import { queries } from '../api/query-client';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { AvailabilityService } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { DayService } from '../gen/frontdesk/scheduling/v1/day_pb';
import { ProposalService } from '../gen/frontdesk/scheduling/v1/proposal_pb';
import { WaitlistService } from '../gen/frontdesk/scheduling/v1/waitlist_pb';

/** Invalidates all queries that show visits, without waiting for the live socket; settles when they are read. */
export function readVisitsAgain(): Promise<unknown> {
  // A proposal tells which of its visits were changed by hand.
  return Promise.all([readAllOf(AppointmentService), readAllOf(ProposalService), readDaysAgain()]);
}

/** Invalidates all queries that show employees' days, and what was offered in them. */
export function readDaysAgain(): Promise<unknown> {
  readOffersAgain();
  return readAllOf(DayService);
}

/** Invalidates all queries that show who waits. */
export const readWaitlistAgain = (): Promise<unknown> => readAllOf(WaitlistService);

function readAllOf({ typeName }: { typeName: string }): Promise<void> {
  return queries.invalidateQueries({
    predicate: ({ queryKey }) => String(queryKey[0]).startsWith(`${typeName}/`),
  });
}

/** What was offered may be gone. */
export function readOffersAgain(): void {
  const { searchAvailability, explainAvailability } = AvailabilityService.method;
  for (const method of [searchAvailability, explainAvailability]) {
    void queries.invalidateQueries({ queryKey: [methodKey(method)] });
  }
}

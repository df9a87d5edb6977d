import { methodKey } from '../api/query';
import { queries } from '../api/query-client';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { AvailabilityService } from '../gen/frontdesk/scheduling/v1/availability_pb';

/** Invalidates all queries that show visits, without waiting for the live socket. */
export function readVisitsAgain(): void {
  const ofVisits = `${AppointmentService.typeName}/`;
  void queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith(ofVisits) });
  readOffersAgain();
}

/** What was offered may be gone. */
export function readOffersAgain(): void {
  const { searchAvailability, explainAvailability } = AvailabilityService.method;
  for (const method of [searchAvailability, explainAvailability]) {
    void queries.invalidateQueries({ queryKey: [methodKey(method)] });
  }
}

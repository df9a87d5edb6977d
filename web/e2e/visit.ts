import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { AvailabilityService } from '../src/gen/frontdesk/scheduling/v1/availability_pb';
import { CatalogueService } from '../src/gen/frontdesk/scheduling/v1/catalogue_pb';
import type { RestClient } from './rest';
import { WILLOW } from './stack';

/** Books the last offer of the week, so that a test has a visit of its own to cancel. */
export async function bookedVisit(client: RestClient): Promise<string> {
  const { services } = await client.call(CatalogueService.method.listServices, { businessId: WILLOW });
  const items = [{ serviceId: services.find(({ employeeIds }) => employeeIds.length > 0)?.id ?? '' }];
  const { offers } = await client.call(AvailabilityService.method.searchAvailability, {
    businessId: WILLOW,
    items,
    pageSize: 200,
  });
  const startsAt = offers.at(-1)?.startsAt;
  if (!startsAt) throw new Error('The demo business has no free time this week.');
  const { appointment } = await client.call(AppointmentService.method.bookAppointment, {
    businessId: WILLOW,
    items,
    startsAt,
  });
  return appointment?.id ?? '';
}

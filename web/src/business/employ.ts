import { call } from '../api/call';
import { CatalogueService, type Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { ScheduleService, type WeeklySpan } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';

/** Has an employee work whenever the salon is open, from the start. */
export async function giveOpeningHours(
  businessId: string,
  employeeId: string,
  spans: readonly WeeklySpan[],
): Promise<void> {
  const input = spans.map(({ weekday, fromMinute, toMinute }) => ({ weekday, fromMinute, toMinute }));
  await call(ScheduleService.method.setWeeklySchedule, { businessId, employeeId, spans: input });
}

/** Has an employee do some services besides those who do them already. */
export async function giveServices(
  businessId: string,
  { id }: Pick<Employee, 'id'>,
  services: readonly Service[],
): Promise<void> {
  for (const service of services) {
    if (service.employeeIds.includes(id)) continue;
    const employeeIds = [...service.employeeIds, id];
    await call(CatalogueService.method.updateService, {
      businessId,
      serviceId: service.id,
      service: { ...service, id: '', employeeIds },
    });
  }
}

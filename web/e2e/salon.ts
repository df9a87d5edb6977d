import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { AvailabilityService, type Offer } from '../src/gen/frontdesk/scheduling/v1/availability_pb';
import { CatalogueService, type Service } from '../src/gen/frontdesk/scheduling/v1/catalogue_pb';
import { OpeningExceptionService } from '../src/gen/frontdesk/scheduling/v1/opening_exception_pb';
import { ScheduleService } from '../src/gen/frontdesk/scheduling/v1/schedule_pb';
import { EmployeeService } from '../src/gen/frontdesk/tenancy/v1/employee_pb';
import { dayAfter } from '../src/time/local';
import { weekdayOf } from '../src/time/local-day';
import { dayKey, localMinute, timeOfDay } from '../src/time/zoned';
import type { RestClient } from './rest';
import { WILLOW } from './stack';

export const LONDON = 'Europe/London';
const DAY_MS = 86_400_000;
const LATEST_MINUTE = 22 * 60;

/** Whether a whole visit, and one to move it to, no longer fit into what is left of today. */
export const lateToday = () => localMinute(new Date(), LONDON).minute > LATEST_MINUTE;

export async function serviceNamed(client: RestClient, name: string): Promise<Service> {
  const { services } = await client.call(CatalogueService.method.listServices, {
    businessId: WILLOW,
    pageSize: 200,
  });
  const found = services.find((service) => service.name === name);
  if (!found) throw new Error(`The demo business has no ${name}.`);
  return found;
}

export async function employeeNamed(client: RestClient, name: string): Promise<string> {
  const { employees } = await client.call(EmployeeService.method.listEmployees, { businessId: WILLOW });
  return employees.find((employee) => employee.name === name)?.id ?? '';
}

export type Wanted = {
  serviceId: string;
  employeeId?: string;
  employeeOnly?: boolean;
  extraMinutes?: number;
};

/** The first free time so many days ahead or later: beyond a fortnight the demo's days are empty. */
export async function firstOffer(client: RestClient, items: Wanted[], daysAhead: number): Promise<Offer> {
  const from = new Date(Date.now() + daysAhead * DAY_MS);
  const { offers } = await client.call(AvailabilityService.method.searchAvailability, {
    businessId: WILLOW,
    items,
    from: timestampFromDate(from),
    to: timestampFromDate(new Date(from.getTime() + 7 * DAY_MS)),
    pageSize: 200,
  });
  const [offer] = offers;
  if (!offer?.startsAt) throw new Error('The demo business has no free time that week.');
  return offer;
}

export function startOf(offer: Offer): Date {
  if (!offer.startsAt) throw new Error('An offer has a start.');
  return timestampDate(offer.startsAt);
}

/** "2026-06-02" and "14:30", as fields and buttons have them. */
export const dayOf = (start: Date) => dayKey(start, LONDON);
export const clockOf = (start: Date) => timeOfDay(start, LONDON);

/** The first Monday after today, as a date field has it: a working day has visits. */
export function nextMonday(): string {
  const today = dayOf(new Date());
  return dayAfter(today, 8 - weekdayOf(today));
}

/** Books through the API, as a colleague at another computer would. */
export async function bookedAt(
  client: RestClient,
  items: Wanted[],
  start: Date,
  customerId = '',
): Promise<string> {
  const { appointment } = await client.call(AppointmentService.method.bookAppointment, {
    businessId: WILLOW,
    items,
    startsAt: timestampFromDate(start),
    customerId,
  });
  return appointment?.id ?? '';
}

export async function cancelled(client: RestClient, appointmentId: string): Promise<void> {
  await client.call(AppointmentService.method.cancelAppointment, { businessId: WILLOW, appointmentId });
}

const WHOLE_DAY = [{ fromMinute: 0, toMinute: 1440 }];

/** Whatever day and hour it is: the salon is open today, and these are there. Returns the way back. */
export const openToday = (client: RestClient, employeeIds: string[]): Promise<() => Promise<void>> =>
  openOn(client, dayOf(new Date()), employeeIds);

/** Whatever day of the week it is: the salon is open all of it, and these are there. Returns the way back. */
export async function openOn(
  client: RestClient,
  date: string,
  employeeIds: string[],
): Promise<() => Promise<void>> {
  const { openingException } = await client.call(OpeningExceptionService.method.addOpeningException, {
    businessId: WILLOW,
    firstDate: date,
    lastDate: date,
    spans: WHOLE_DAY,
    label: 'Open late',
  });
  for (const employeeId of employeeIds) {
    const hours = { businessId: WILLOW, employeeId, date, spans: WHOLE_DAY };
    await client.call(ScheduleService.method.setDayHours, hours);
  }
  return async () => {
    for (const employeeId of employeeIds) {
      await client.call(ScheduleService.method.removeDayHours, { businessId: WILLOW, employeeId, date });
    }
    await client.call(OpeningExceptionService.method.removeOpeningException, {
      businessId: WILLOW,
      openingExceptionId: openingException?.id ?? '',
    });
  };
}

import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AppointmentState } from '../src/gen/frontdesk/scheduling/v1/appointment_pb';
import type { GetDayRequest } from '../src/gen/frontdesk/scheduling/v1/day_pb';
import type { Answer } from './answer';
import { daysOf, type Salon } from './days';
import { employees, id, NOW, openingHours, services } from './fixtures';

/** A salon's fullest day: the numbers of employees and visits. */
const MANY_EMPLOYEES = 20;
export const MANY_VISITS = 200;

const MINUTE_MS = 60_000;
const FIRST_START_MS = Date.parse(`${NOW.toISOString().slice(0, 10)}T09:00Z`);
const BETWEEN_MINUTES = 50;

const crowd = Array.from({ length: MANY_EMPLOYEES }, (_, index) => ({
  id: id(11, index),
  name: `Employee ${String(index + 1).padStart(2, '0')}`,
}));

const everybody = crowd.map((person) => person.id);
const catalogue = services.map((service) => ({ ...service, employeeIds: [...everybody] }));

/** Visits back to back, of every service in turn. */
const crowded = Array.from({ length: MANY_VISITS }, (_, index) => {
  const employee = crowd[index % MANY_EMPLOYEES];
  const service = catalogue[index % catalogue.length];
  const minutes = (service?.segments ?? []).reduce((sum, segment) => sum + (segment.minutes ?? 0), 0);
  const start = FIRST_START_MS + Math.floor(index / MANY_EMPLOYEES) * BETWEEN_MINUTES * MINUTE_MS;
  const span = {
    startsAt: timestampFromDate(new Date(start)),
    endsAt: timestampFromDate(new Date(start + minutes * MINUTE_MS)),
  };
  return {
    ...span,
    id: id(12, index),
    state: AppointmentState.BOOKED,
    customerId: id(4, 1),
    customerPhone: '+447700900121',
    priceMinor: service?.priceMinor ?? 0,
    currency: 'GBP',
    customerName: `Customer Number ${index + 1}`,
    version: 1n,
    items: [
      {
        ...span,
        serviceId: service?.id ?? '',
        serviceName: service?.name ?? '',
        employeeId: employee?.id ?? '',
        employeeName: employee?.name ?? '',
      },
    ],
  };
});

const FULLEST: Salon = {
  employees: crowd,
  services: catalogue,
  appointments: crowded,
  openingHours,
  works: () => true,
  timeOff: [],
  blocks: [],
  busy: [],
};

const DAY_ANSWERS: Record<string, Answer> = {
  ListEmployees: (_, __, many) => ({ employees: many ? crowd : employees }),
  ListServices: (_, __, many) => ({ services: many ? catalogue : services }),
  GetDay: (request, { role }) => daysOf(FULLEST, request as unknown as GetDayRequest, role),
};

/** The answers of a day: the fullest one in the mood `many`, else the usual one. */
export const fullestDay = (usual: Record<string, Answer>): Record<string, Answer> =>
  Object.fromEntries(
    Object.entries(DAY_ANSWERS).map(([method, day]): [string, Answer] => [
      method,
      (request, account, many) => (many ? day : (usual[method] ?? day))(request, account, many),
    ]),
  );

import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ScheduleData } from '../day/columns';
import { type AppointmentSchema, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import {
  DayColumnSchema,
  type DayItemSchema,
  DayOpeningSchema,
  DayUnavailableReason,
  type DayUnavailableSchema,
  type DayVisit,
  DayVisitSchema,
} from '../gen/frontdesk/scheduling/v1/day_pb';
import { instantOf } from '../time/local';
import { MINUTES_A_DAY } from '../time/local-day';

export const ZONE = 'Europe/London';
export const TUESDAY = '2026-11-24';

export const at = (minute: number, day = TUESDAY) => timestampFromDate(instantOf(day, minute, ZONE));

export const span = (fromMinute: number, toMinute: number) => ({ fromMinute, toMinute });

type Unavailable = MessageInitShape<typeof DayUnavailableSchema>;

export const unavailable = (
  reason: DayUnavailableReason,
  fromMinute: number,
  toMinute: number,
  more: Unavailable = {},
): Unavailable => ({ reason, fromMinute, toMinute, ...more });

/** What is closed and what is not worked of a day from 9:00 to 18:00, for an employee from 10:00 to 17:00. */
export const usual = [
  unavailable(DayUnavailableReason.CLOSED, 0, 540),
  unavailable(DayUnavailableReason.CLOSED, 1080, MINUTES_A_DAY),
  unavailable(DayUnavailableReason.NOT_WORKING, 540, 600),
  unavailable(DayUnavailableReason.NOT_WORKING, 1020, 1080),
];

/** An employee from 10:00 to 17:00. Their name is their id. */
export const column = (id: string, changes: MessageInitShape<typeof DayColumnSchema> = {}) =>
  create(DayColumnSchema, {
    date: TUESDAY,
    employeeId: id,
    employeeName: `${id.charAt(0).toUpperCase()}${id.slice(1)}`,
    working: [span(600, 1020)],
    unavailable: usual,
    ...changes,
  });

type Item = [
  service: string,
  employee: string,
  from: number,
  to: number,
  spent?: MessageInitShape<typeof DayItemSchema>,
];

/** A visit of the day. Names are ids. */
export function visit(
  id: string,
  items: Item[],
  more: MessageInitShape<typeof AppointmentSchema> = {},
): DayVisit {
  return create(DayVisitSchema, {
    appointment: {
      id,
      version: 1n,
      state: AppointmentState.BOOKED,
      customerId: id,
      customerName: id,
      startsAt: at(Math.min(...items.map(([, , from]) => from))),
      endsAt: at(Math.max(...items.map(([, , , to]) => to))),
      items: items.map(([serviceId, employeeId, from, to]) => ({
        serviceId,
        serviceName: serviceId,
        employeeId,
        employeeName: employeeId,
        startsAt: at(from),
        endsAt: at(to),
      })),
      ...more,
    },
    items: items.map(([, , , , spent = {}]) => spent),
  });
}

/** A Tuesday of Ana and Ben. */
export const dayOf = (changes: Partial<ScheduleData> = {}): ScheduleData => ({
  zone: ZONE,
  employees: [
    { id: 'ana', name: 'Ana' },
    { id: 'ben', name: 'Ben' },
  ],
  catalogue: new Map(),
  days: [create(DayOpeningSchema, { date: TUESDAY, spans: [span(540, 1080)] })],
  columns: [column('ana'), column('ben')],
  visits: [],
  blocks: [],
  maySqueezeIn: false,
  ...changes,
});

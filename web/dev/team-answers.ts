import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Timestamp, timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  TimeOffKind,
  type TimeOffSchema,
  TimeOffState,
} from '../src/gen/frontdesk/scheduling/v1/time_off_pb';
import type { Answer } from './answer';
import { appointments, employees, id, NOW, openingHours } from './fixtures';

const ZONE = 'Europe/London';
const minutes = (offset: number) => timestampFromDate(new Date(NOW.getTime() + offset * 60_000));
const nameOf = (employeeId: string) => employees.find((one) => one.id === employeeId)?.name ?? '';

/** A visit as time off over it names it. */
const standing = (
  { id: appointmentId = '', customerName = '', items = [] }: (typeof appointments)[number],
  startsAt: Timestamp,
) => ({
  appointmentId,
  customerName,
  startsAt,
  serviceNames: items.map(({ serviceName = '' }) => serviceName),
});

/** The last two have the day off; one is on holiday. */
export const ON_HOLIDAY = id(1, 10);
export const works = (employeeId: string) => ![id(1, 11), id(1, 12), ON_HOLIDAY].includes(employeeId);

/** Went home in the middle of the day. */
const UNWELL = id(1, 9);

export const timeOff: MessageInitShape<typeof TimeOffSchema>[] = [
  {
    id: id(31, 1),
    employeeId: ON_HOLIDAY,
    employeeName: nameOf(ON_HOLIDAY),
    kind: TimeOffKind.HOLIDAY,
    startsAt: minutes(-2000),
    endsAt: minutes(5000),
    firstDate: '2026-11-23',
    lastDate: '2026-11-27',
    state: TimeOffState.APPROVED,
  },
  {
    id: id(31, 2),
    employeeId: id(1, 1),
    employeeName: 'Maya Okafor',
    kind: TimeOffKind.TRAINING,
    reason: 'Colour course in Leeds',
    firstDate: '2026-12-03',
    lastDate: '2026-12-04',
    state: TimeOffState.REQUESTED,
    requestedAt: minutes(-300),
    appointments: appointments
      .slice(3, 10)
      .map((visit, index) => standing(visit, minutes(11_448 + index * 45))),
  },
  {
    id: id(31, 3),
    employeeId: UNWELL,
    employeeName: nameOf(UNWELL),
    kind: TimeOffKind.SICK,
    startsAt: minutes(108),
    endsAt: minutes(468),
    state: TimeOffState.APPROVED,
    appointments: appointments
      .filter(
        ({ items, startsAt }) =>
          items?.[0]?.employeeId === UNWELL && startsAt && timestampDate(startsAt as Timestamp) > NOW,
      )
      .map((visit) => standing(visit, visit.startsAt as Timestamp)),
  },
];

const thursday = openingHours
  .filter(({ weekday }) => weekday === 4)
  .map(({ fromMinute = 0, toMinute = 0 }) => ({ fromMinute, toMinute }));

/** When people work, and when they are away. */
export const TEAM_ANSWERS: Record<string, Answer> = {
  ListWeeklySchedules: ({ employeeId }) => ({
    schedules:
      works(employeeId as string) || employeeId === ON_HOLIDAY
        ? [
            { spans: openingHours },
            { effectiveFrom: '2027-01-04', spans: openingHours.filter(({ weekday }) => weekday !== 6) },
          ]
        : [],
  }),
  ListDayHours: ({ employeeId }) => ({
    days: works(employeeId as string)
      ? [
          { date: '2026-12-24', spans: [{ fromMinute: 540, toMinute: 780 }], weekly: thursday },
          { date: '2026-12-31', weekly: thursday },
        ]
      : [],
  }),
  ListStaffSchedules: () => ({
    staff: employees.map(({ id: employeeId }) => ({
      employeeId,
      schedules: works(employeeId ?? '') || employeeId === ON_HOLIDAY ? [{ spans: openingHours }] : [],
    })),
  }),
  ListTimeOff: ({ state, employeeId }) => ({
    timeOff: timeOff.filter(
      (one) => (!state || one.state === state) && (!employeeId || one.employeeId === employeeId),
    ),
    timeZone: ZONE,
  }),
  ApproveTimeOff: () => ({}),
  DeclineTimeOff: () => ({}),
};

import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Timestamp, timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { CalendarKind, type CalendarSchema } from '../src/gen/frontdesk/calendarsync/v1/calendar_pb';
import { AppointmentState } from '../src/gen/frontdesk/scheduling/v1/appointment_pb';
import { BusyOrigin } from '../src/gen/frontdesk/scheduling/v1/busy_source_pb';
import type { GetDayRequest, GetMonthRequest } from '../src/gen/frontdesk/scheduling/v1/day_pb';
import { DependencyRule, type DependencySchema } from '../src/gen/frontdesk/scheduling/v1/dependency_pb';
import {
  type ProposalSchema,
  ProposalState,
  ProposedChange,
} from '../src/gen/frontdesk/scheduling/v1/proposal_pb';
import type { WaitingCustomerSchema } from '../src/gen/frontdesk/scheduling/v1/waitlist_pb';
import type { Answer } from './answer';
import { AVAILABILITY_ANSWERS } from './availability-answers';
import { CUSTOMER_ANSWERS } from './customer-answers';
import { daysOf, type Salon, strandedIn } from './days';
import { better, DEED_ANSWERS, isWide, wideRules, wideServices } from './deed-answers';
import { appointments, conflicts, employees, id, LONG_NAME, NOW, openingHours, services } from './fixtures';
import { monthOf } from './months';
import { ON_HOLIDAY, TEAM_ANSWERS, timeOff, works } from './team-answers';

const ZONE = 'Europe/London';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const minutes = (offset: number) => timestampFromDate(new Date(NOW.getTime() + offset * MINUTE_MS));
/** London is at UTC then. */
const TODAY = NOW.toISOString().slice(0, 10);

const instant = (value: unknown): number =>
  value ? timestampDate(value as Timestamp).getTime() : Number.NaN;
const calendars: MessageInitShape<typeof CalendarSchema>[] = employees
  .slice(0, 9)
  .map(({ id: employeeId = '', name = '' }, index) => ({
    id: id(30, index + 1),
    kind: CalendarKind.DEMO,
    employeeId,
    name: name.split(' ')[0] ?? '',
    syncedAt: minutes(index === 2 ? -190 : -1 - index),
    lastError: index === 2 ? 'the calendar can’t be read: it did not answer in time' : '',
  }));

const waiting: MessageInitShape<typeof WaitingCustomerSchema>[] = [
  {
    entry: {
      id: id(32, 1),
      customerId: id(4, 40),
      customerName: 'Beatriz Monteiro',
      customerPhone: '+447700900188',
      items: [{ serviceId: id(2, 4) }],
      firstDate: TODAY,
      lastDate: '2026-11-28',
      fromMinute: 0,
      toMinute: 1440,
      note: 'Any stylist, would rather come before noon.',
      joinedAt: minutes(-2880),
    },
    offer: {
      startsAt: minutes(108),
      endsAt: minutes(153),
      items: [
        {
          serviceId: id(2, 4),
          serviceName: 'Cut & finish',
          employeeId: id(1, 5),
          employeeName: 'Noah Adeyemi',
        },
      ],
    },
  },
  {
    entry: {
      id: id(32, 2),
      customerId: id(4, 41),
      customerName: LONG_NAME,
      items: [{ serviceId: id(2, 2) }, { serviceId: id(2, 6) }],
      firstDate: '2026-11-27',
      lastDate: '2026-12-11',
      fromMinute: 1020,
      toMinute: 1200,
      joinedAt: minutes(-120),
    },
  },
];

const place = (from: number, length: number, employee: number) => ({
  startsAt: minutes(from),
  endsAt: minutes(from + length),
  employeeIds: [id(1, employee)],
});

const proposal: MessageInitShape<typeof ProposalSchema> = {
  id: id(33, 1),
  date: TODAY,
  state: ProposalState.OPEN,
  cause: { case: 'absence', value: { employeeId: ON_HOLIDAY, timeOffId: id(31, 1) } },
  lineCount: 2,
  openLineCount: 2,
  createdAt: minutes(-20),
  lines: [
    {
      id: id(34, 1),
      change: ProposedChange.MOVE,
      appointmentId: id(3, 3),
      customerName: 'Daniel Osei',
      customerPhone: '+447700900123',
      from: place(48, 35, 4),
      to: place(63, 35, 2),
      shiftMinutes: 15,
      employeesChanged: 1,
    },
    {
      id: id(34, 2),
      change: ProposedChange.UNPLACED,
      appointmentId: id(3, 4),
      customerName: LONG_NAME,
      from: place(108, 115, 3),
    },
  ],
};

const dependencies: MessageInitShape<typeof DependencySchema>[] = [
  {
    id: id(35, 1),
    firstServiceId: id(2, 1),
    thenServiceId: id(2, 4),
    rule: DependencyRule.ORDER,
    mostGapMinutes: 30,
  },
  { id: id(35, 2), firstServiceId: id(2, 4), thenServiceId: id(2, 6), rule: DependencyRule.SAME_EMPLOYEE },
  {
    id: id(35, 3),
    firstServiceId: id(2, 3),
    thenServiceId: id(2, 1),
    rule: DependencyRule.EARLIER_VISIT,
    leastHours: 48,
    mostDays: 180,
  },
];

const measured = (one: number, other: number, both: number, lift: number) => ({
  serviceId: id(2, one),
  serviceName: services[one - 1]?.name ?? '',
  otherServiceId: id(2, other),
  otherServiceName: services[other - 1]?.name ?? '',
  visitsWithBoth: BigInt(both),
  visitsWithService: BigInt(both * 3),
  visitsWithOther: BigInt(both * 2),
  lift,
});

const SALON: Salon = {
  employees,
  services,
  appointments,
  openingHours,
  works: (employeeId) => works(employeeId) || employeeId === ON_HOLIDAY,
  timeOff,
  blocks: [
    {
      id: id(36, 1),
      employeeId: id(1, 6),
      employeeName: 'Mia Larsen',
      title: 'Stocktaking',
      startsAt: minutes(318),
      endsAt: minutes(378),
    },
  ],
  busy: [
    ...conflicts,
    { employeeId: id(1, 2), startsAt: minutes(78), endsAt: minutes(138), origin: BusyOrigin.PROVIDER },
  ],
};

/** Two years of visits every three weeks, one of them cancelled and one missed. */
function years(visits: typeof appointments): typeof appointments {
  const [like = appointments[0]] = visits;
  const at = (value: unknown, index: number) =>
    timestampFromDate(new Date(instant(value) - (index + 1) * 21 * DAY_MS));
  const visit = (index: number) => ({
    ...like,
    id: id(38, index + 1),
    startsAt: at(like?.startsAt, index),
    endsAt: at(like?.endsAt, index),
    items: (appointments[index % 9]?.items ?? []).map((item) => ({
      ...item,
      startsAt: at(like?.startsAt, index),
      endsAt: at(like?.endsAt, index),
    })),
    state:
      index === 4
        ? AppointmentState.CANCELLED
        : index === 11
          ? AppointmentState.NO_SHOW
          : AppointmentState.COMPLETED,
  });
  return Array.from({ length: 34 }, (_, index) => visit(index) as (typeof appointments)[number]);
}

/** A salon's days and the rows of its inbox. Changes are answered, but not stored. */
export const SALON_ANSWERS: Record<string, Answer> = {
  ...TEAM_ANSWERS,
  ...DEED_ANSWERS,
  ...AVAILABILITY_ANSWERS,
  ListServices: (request) => ({ services: isWide(request) ? wideServices : services }),
  ListAppointments: ({ from, to, pageSize, pageToken }) => {
    const [begin, end] = [from ? instant(from) : NOW.getTime(), to ? instant(to) : Number.POSITIVE_INFINITY];
    const within = appointments
      .filter(({ startsAt }) => instant(startsAt) >= begin && instant(startsAt) < end)
      .sort((one, other) => instant(one.startsAt) - instant(other.startsAt));
    const first = Number(pageToken || 0);
    const next = first + ((pageSize as number) || 50);
    return {
      appointments: within.slice(first, next),
      nextPageToken: within.length > next ? String(next) : '',
      timeZone: ZONE,
    };
  },
  ListCustomerAppointments: ({ customerId, upcoming }, _, many) => {
    const began = ({ startsAt }: (typeof appointments)[number]) => instant(startsAt) < NOW.getTime();
    const visits = appointments.filter(
      (visit) => visit.customerId === customerId && began(visit) !== upcoming,
    );
    if (many) return { appointments: upcoming ? visits : years(visits), timeZone: ZONE };
    return { appointments: upcoming ? visits : visits.reverse(), timeZone: ZONE };
  },
  GetDay: (request, { role }) => daysOf(SALON, request as unknown as GetDayRequest, role),
  GetMonth: (request, { role }) => monthOf(SALON, request as unknown as GetMonthRequest, role),
  ListStrandedAppointments: ({ employeeId, appointmentId }) => {
    const stranded = strandedIn(SALON, TODAY).filter(
      (one) =>
        (!employeeId || one.employeeId === employeeId) &&
        (!appointmentId || one.appointmentId === appointmentId),
    );
    return { stranded, total: stranded.length };
  },
  ListWaitlist: () => ({ waiting, timeZone: ZONE }),
  ListProposals: (_, __, many) => ({
    proposals: [proposal, ...(many ? [better] : [])].map((one) => ({ ...one, lines: [] })),
    timeZone: ZONE,
  }),
  GetProposal: ({ proposalId }) => ({ proposal: proposalId === better.id ? better : proposal }),
  ReportAbsence: () => ({ proposal }),
  ListFollowUps: () => ({
    followUps: [
      {
        id: id(39, 1),
        text: 'Mrs Goldberg asks whether her patch test of June still counts. Call back before she travels.',
        phone: '+447700900123',
        callId: id(4, 2),
        employeeId: id(1, 1),
        employeeName: employees[0]?.name ?? '',
        dueAt: minutes(-40),
      },
      { id: id(39, 2), text: 'Order bleach', dueAt: minutes(300) },
    ],
  }),
  ListDependencies: (request) => ({ dependencies: isWide(request) ? wideRules : dependencies }),
  ListPairings: () => ({
    pairings: [
      {
        id: id(38, 1),
        serviceId: id(2, 1),
        serviceName: 'Full colour',
        suggestedServiceId: id(2, 6),
        suggestedServiceName: 'Blow-dry',
        note: 'Shows the colour off.',
        createdAt: minutes(-9000),
      },
    ],
  }),
  ListMeasuredPairings: () => ({
    pairings: [measured(4, 6, 48, 2.4), measured(1, 4, 31, 1.8), measured(2, 6, 12, 1.3)],
    visits: 412n,
  }),
  ListResources: () => ({
    resources: ['Chair 1', 'Chair 2', 'Chair 3 by the window', 'Basin left', 'Basin right'].map(
      (name, index) => ({
        id: id(39, index + 1),
        name,
        kind: name.startsWith('Chair') ? 'chair' : 'basin',
      }),
    ),
  }),
  ListCalendars: () => ({ calendars }),
  ...CUSTOMER_ANSWERS,
};

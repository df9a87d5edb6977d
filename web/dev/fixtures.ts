import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { MembershipSchema } from '../src/gen/frontdesk/auth/v1/account_pb';
import { type AppointmentSchema, AppointmentState } from '../src/gen/frontdesk/scheduling/v1/appointment_pb';
import { BusyOrigin } from '../src/gen/frontdesk/scheduling/v1/busy_source_pb';
import { SegmentKind, type ServiceSchema } from '../src/gen/frontdesk/scheduling/v1/catalogue_pb';
import type { ConflictSchema } from '../src/gen/frontdesk/scheduling/v1/conflict_pb';
import type { WeeklySpanSchema } from '../src/gen/frontdesk/scheduling/v1/schedule_pb';
import {
  CallOutcome,
  type CallSchema,
  CallState,
  Speaker,
  type ToolCallSchema,
  type TurnSchema,
} from '../src/gen/frontdesk/telemetry/v1/call_pb';
import type { BusinessSchema } from '../src/gen/frontdesk/tenancy/v1/business_pb';
import type { EmployeeSchema } from '../src/gen/frontdesk/tenancy/v1/employee_pb';

/** The instant every picture is taken at: a Tuesday morning in London. */
export const NOW = new Date('2026-11-24T10:12:00Z');

export const WILLOW = '01900000-0000-7000-8000-000000000001';
export const OTHER = '01900000-0000-7000-8000-000000000002';
export const PASSWORD = 'Frontdesk-demo-1';

export const id = (kind: number, number: number) =>
  `01900000-0000-7000-8${String(kind).padStart(3, '0')}-${String(number).padStart(12, '0')}`;

const minutes = (offset: number) => timestampFromDate(new Date(NOW.getTime() + offset * 60_000));
const seconds = (offset: number) => timestampFromDate(new Date(NOW.getTime() + offset * 1000));

export type Account = { email: string; name: string; role: string; businessIds: string[] };

export const ACCOUNTS: Account[] = [
  { email: 'admin@demo.test', name: 'Ines Admin', role: 'ADMIN', businessIds: [] },
  { email: 'owner@demo.test', name: 'Olivia Hart', role: 'OWNER', businessIds: [WILLOW] },
  { email: 'manager@demo.test', name: 'Marcus Bell', role: 'MANAGER', businessIds: [WILLOW] },
  { email: 'employee@demo.test', name: 'Maya Okafor', role: 'EMPLOYEE', businessIds: [WILLOW] },
  { email: 'guest@demo.test', name: 'Gil Guest', role: 'GUEST', businessIds: [WILLOW] },
];

export const businesses: MessageInitShape<typeof BusinessSchema>[] = [
  {
    id: WILLOW,
    name: 'Willow & Co',
    address: '14 Lamb’s Conduit Street, London WC1N 3LE',
    phone: '+442079460123',
    timeZone: 'Europe/London',
  },
  {
    id: OTHER,
    name: 'Atelier Nord',
    address: 'Torstraße 88, 10119 Berlin',
    phone: '+493090182930',
    timeZone: 'Europe/Berlin',
  },
];

export const memberships: MessageInitShape<typeof MembershipSchema>[] = [
  { businessId: WILLOW, businessName: 'Willow & Co', role: 'OWNER' },
];

export const employees: MessageInitShape<typeof EmployeeSchema>[] = [
  { id: id(1, 1), name: 'Maya Okafor' },
  { id: id(1, 2), name: 'Tom Reed' },
  { id: id(1, 3), name: 'Sofia Marchetti' },
  { id: id(1, 4), name: 'Jin Park' },
  { id: id(1, 5), name: 'Noah Adeyemi' },
  { id: id(1, 6), name: 'Mia Larsen' },
  { id: id(1, 7), name: 'Maximiliane von Hohenberg-Stadelhofen' },
  { id: id(1, 8), name: 'Elif Yıldız' },
  { id: id(1, 9), name: 'Kwame Mensah' },
  { id: id(1, 10), name: 'Ruth Goldberg' },
  { id: id(1, 11), name: 'Bo' },
  { id: id(1, 12), name: 'Siobhán O’Sullivan' },
];

const active = (length: number) => ({ kind: SegmentKind.ACTIVE, minutes: length });
const processing = (length: number) => ({ kind: SegmentKind.PROCESSING, minutes: length });

export const services: MessageInitShape<typeof ServiceSchema>[] = [
  {
    id: id(2, 1),
    name: 'Full colour',
    category: 'Colour',
    segments: [active(30), processing(35), active(25)],
    bufferAfterMinutes: 10,
    priceMinor: 9800,
    currency: 'GBP',
    aliases: ['dye', 'all over colour'],
    patchTest: 'Tint',
    employeeIds: [id(1, 1), id(1, 3)],
  },
  {
    id: id(2, 2),
    name: 'Half-head highlights',
    category: 'Colour',
    segments: [active(45), processing(40), active(30)],
    bufferAfterMinutes: 10,
    priceMinor: 12500,
    currency: 'GBP',
    aliases: ['highlights', 'streaks', 'foils'],
    employeeIds: [id(1, 3)],
  },
  {
    id: id(2, 3),
    name: 'Root touch-up',
    category: 'Colour',
    segments: [active(20), processing(30), active(15)],
    priceMinor: 6450,
    currency: 'GBP',
    aliases: ['roots', 'regrowth'],
    employeeIds: [id(1, 1), id(1, 3), id(1, 4)],
  },
  {
    id: id(2, 4),
    name: 'Cut & finish',
    category: 'Cutting',
    segments: [active(45)],
    bufferAfterMinutes: 5,
    priceMinor: 5200,
    currency: 'GBP',
    aliases: ['haircut', 'trim', 'wash and cut'],
    employeeIds: employees.map((employee) => employee.id ?? ''),
  },
  {
    id: id(2, 5),
    name: 'Fringe trim',
    category: 'Cutting',
    segments: [active(15)],
    priceMinor: 1200,
    currency: 'GBP',
    aliases: ['bangs'],
    employeeIds: [id(1, 2), id(1, 4)],
  },
  {
    id: id(2, 6),
    name: 'Blow-dry',
    category: 'Styling',
    segments: [active(35)],
    priceMinor: 3400,
    currency: 'GBP',
    aliases: ['blowout'],
    employeeIds: [id(1, 2), id(1, 4)],
  },
];

export const openingHours: MessageInitShape<typeof WeeklySpanSchema>[] = [
  ...[2, 3, 5].map((weekday) => ({ weekday, fromMinute: 9 * 60, toMinute: 18 * 60 })),
  { weekday: 4, fromMinute: 9 * 60, toMinute: 13 * 60 },
  { weekday: 4, fromMinute: 14 * 60, toMinute: 20 * 60 },
  { weekday: 6, fromMinute: 9 * 60, toMinute: 17 * 60 },
];

export const LONG_NAME = 'Wilhelmina Konstantinopoulou-Featherstonehaugh de la Vega y Montenegro';

type Visit = [number, number, number, string, number, number, AppointmentState];
/** Minutes from now, service, customer number, customer, employee, length, state. */
const VISITS: Visit[] = [
  [3, 4, 1, 'Priya Nair', 2, 45, AppointmentState.ARRIVED],
  [18, 1, 2, 'Hannah Weiss', 1, 80, AppointmentState.CONFIRMED],
  [48, 6, 3, 'Daniel Osei', 4, 50, AppointmentState.BOOKED],
  [108, 2, 4, LONG_NAME, 3, 115, AppointmentState.BOOKED],
  [168, 4, 0, '', 2, 45, AppointmentState.BOOKED],
  [1368, 3, 6, 'Amara Diallo', 1, 65, AppointmentState.BOOKED],
  [1428, 4, 7, 'George Whitfield', 2, 45, AppointmentState.CONFIRMED],
  [2928, 1, 8, 'Lucía Fernández', 3, 90, AppointmentState.BOOKED],
];

/** What the rest of the team has today: the day is full, as a good Tuesday is. */
const TEAM_DAYS: [employee: number, starts: number[]][] = [
  [1, [-72, 258, 348]],
  [2, [-62, 288, 378]],
  [3, [-72, 258, 378]],
  [4, [-72, 198, 318, 378]],
  [5, [-72, 3, 78, 198, 318]],
  [6, [-42, 48, 138, 258]],
  [7, [-72, 18, 108, 228, 318]],
  [8, [-12, 63, 168, 288, 393]],
  [9, [-72, -12, 108, 168, 258]],
];
const NAMES =
  'Ada Byron|Ben Carter|Chidi Eze|Dana Scully|Esra Demir|Femi Bello|Greta Lind|Hugo Marsh|Ivy Chen|Jonas Falk'.split(
    '|',
  );

const TEAM_VISITS: Visit[] = TEAM_DAYS.flatMap(([employee, starts], row) =>
  starts.map((start, index): Visit => {
    const number = row * 5 + index;
    const state =
      start < -30
        ? AppointmentState.COMPLETED
        : start < 10
          ? AppointmentState.IN_SERVICE
          : AppointmentState.BOOKED;
    const name = number === 17 ? LONG_NAME : (NAMES[number % NAMES.length] ?? '');
    return [start, 4, 20 + number, name, employee, 45, state];
  }),
);

const usualLength = (service: number) =>
  (services[service - 1]?.segments ?? []).reduce((sum, segment) => sum + (segment.minutes ?? 0), 0);

export const appointments: MessageInitShape<typeof AppointmentSchema>[] = [...VISITS, ...TEAM_VISITS].map(
  ([start, service, customer, name, employee, length, state], index) => ({
    id: id(3, index + 1),
    state,
    customerId: customer ? id(4, customer) : '',
    customerName: name,
    customerPhone: customer ? `+4477009001${String(20 + customer)}` : '',
    startsAt: minutes(start),
    endsAt: minutes(start + length),
    items: [
      {
        serviceId: id(2, service),
        serviceName: services[service - 1]?.name ?? '',
        employeeId: id(1, employee),
        employeeName: employees[employee - 1]?.name ?? '',
        startsAt: minutes(start),
        endsAt: minutes(start + length),
        extraMinutes: length - usualLength(service),
      },
    ],
    priceMinor: services[service - 1]?.priceMinor ?? 0,
    currency: 'GBP',
    callId: index === 2 ? id(5, 2) : '',
    notes: index === 1 ? 'Sensitive scalp: use the ammonia-free range.' : '',
    createdAt: minutes(-1300 + index),
  }),
);

export const conflicts: MessageInitShape<typeof ConflictSchema>[] = [
  {
    id: id(6, 1),
    employeeId: id(1, 3),
    employeeName: 'Sofia Marchetti',
    appointmentId: id(3, 4),
    sourceId: id(10, 1),
    origin: BusyOrigin.CALENDAR,
    title: 'Dentist',
    startsAt: minutes(138),
    endsAt: minutes(198),
    ...(appointments[3] ? { appointment: appointments[3] } : {}),
  },
];

type Past = [number, number, string, CallOutcome, string];
/** Minutes ago, seconds long, customer, outcome, summary. */
const PAST: Past[] = [
  [14, 131, 'Daniel Osei', CallOutcome.BOOKED, 'Booked a blow-dry with Jin for 11:00 today.'],
  [52, 64, '', CallOutcome.ANSWERED, 'Asked whether you are open on Mondays. You are not.'],
  [
    97,
    188,
    'Lucía Fernández',
    CallOutcome.MOVED,
    'Moved full colour from Wednesday to Thursday, same stylist.',
  ],
  [1180, 41, '', CallOutcome.ABANDONED, ''],
  [
    1210,
    95,
    LONG_NAME,
    CallOutcome.CANCELLED,
    'Cancelled half-head highlights on Saturday because of a flight that was rebooked for the third time; would like to hear from you when a Friday evening frees up.',
  ],
  [
    1344,
    152,
    'George Whitfield',
    CallOutcome.MESSAGE,
    'Would like a call back about a wedding party of six in May.',
  ],
  [1490, 77, 'Amara Diallo', CallOutcome.TRANSFERRED, 'Asked for the manager about a refund.'],
];

export const calls: MessageInitShape<typeof CallSchema>[] = [
  {
    id: id(5, 1),
    state: CallState.LIVE,
    fromNumber: '+447700900121',
    toNumber: '+442079460123',
    startedAt: seconds(-47),
    customerId: id(4, 1),
    customerName: 'Priya Nair',
    agentVersion: 4,
    platform: 'retell',
  },
  ...PAST.map(([ago, length, customer, outcome, summary], index) => ({
    id: id(5, index + 2),
    state: CallState.ENDED,
    outcome,
    fromNumber: index === 3 ? '' : `+4477009001${30 + index}`,
    toNumber: '+442079460123',
    startedAt: minutes(-ago),
    endedAt: seconds(-ago * 60 + length),
    customerName: customer,
    customerId: customer ? id(4, index + 10) : '',
    appointmentIds: outcome === CallOutcome.BOOKED ? [id(3, 3)] : [],
    summary,
    agentVersion: 4,
    platform: 'retell',
  })),
];

export const turns: MessageInitShape<typeof TurnSchema>[] = [
  { speaker: Speaker.AGENT, text: 'Willow and Co, good morning! How can I help?', offsetMs: 0 },
  { speaker: Speaker.CALLER, text: 'Hi, could I get a blow-dry today, around eleven?', offsetMs: 3400 },
  { speaker: Speaker.AGENT, text: 'Let me look. Is this Daniel?', offsetMs: 7600 },
  { speaker: Speaker.CALLER, text: 'Yes, it is.', offsetMs: 9900 },
  {
    speaker: Speaker.AGENT,
    text: 'I have eleven o’clock or a quarter past one with Jin. Which suits you?',
    offsetMs: 14800,
  },
  { speaker: Speaker.CALLER, text: 'Eleven, please.', offsetMs: 19300 },
  {
    speaker: Speaker.AGENT,
    text: 'Done: a blow-dry with Jin at eleven today. See you soon, Daniel!',
    offsetMs: 25100,
  },
];

const tool = (
  number: number,
  name: string,
  offsetMs: number,
  latencyMs: number,
  asked: unknown,
  answered: unknown,
  ok = true,
): MessageInitShape<typeof ToolCallSchema> => ({
  id: id(7, number),
  name,
  arguments: JSON.stringify(asked),
  result: JSON.stringify(answered),
  ok,
  latencyMs,
  offsetMs,
});

export const toolCalls: MessageInitShape<typeof ToolCallSchema>[] = [
  tool(1, 'find_customer', 800, 11, { phone: '+447700900130' }, { customers: [{ name: 'Daniel Osei' }] }),
  tool(
    2,
    'search_availability',
    10400,
    23,
    { services: ['blow-dry'], from: '2026-11-24T11:00' },
    {
      offers: [
        { starts: '11:00', with: 'Jin Park' },
        { starts: '13:15', with: 'Jin Park' },
      ],
    },
  ),
  tool(3, 'hold_time', 19900, 640, { starts: '11:00' }, { error: 'SLOT_TAKEN' }, false),
  tool(
    4,
    'book_appointment',
    22000,
    31,
    { hold: id(8, 1), starts: '11:00' },
    { appointment: id(3, 3), says: 'Booked for eleven with Jin.' },
  ),
];

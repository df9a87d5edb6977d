import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Timestamp, timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Reason } from '../src/gen/frontdesk/error/v1/reason_pb';
import { DependencyRule, type DependencySchema } from '../src/gen/frontdesk/scheduling/v1/dependency_pb';
import {
  type ProposalSchema,
  ProposalState,
  ProposedChange,
} from '../src/gen/frontdesk/scheduling/v1/proposal_pb';
import type { PlannedOccurrenceSchema } from '../src/gen/frontdesk/scheduling/v1/series_pb';
import type { Answer } from './answer';
import { appointments, id, LONG_NAME, NOW, OTHER, services } from './fixtures';

const ZONE = 'Europe/London';
const DAY_MS = 86_400_000;
const minutes = (offset: number) => timestampFromDate(new Date(NOW.getTime() + offset * 60_000));
const dayOf = (date: Date) => date.toISOString().slice(0, 10);

const place = (from: number, length: number, employee: number) => ({
  startsAt: minutes(from),
  endsAt: minutes(from + length),
  employeeIds: [id(1, employee)],
});

/** The answer to an optimisation of a day. */
export const better: MessageInitShape<typeof ProposalSchema> = {
  id: id(33, 2),
  date: dayOf(NOW),
  state: ProposalState.OPEN,
  cause: {
    case: 'optimisation',
    value: {
      costBefore: 1840n,
      costAfter: 1215n,
      movesTried: 48_210n,
      gainedMinutes: 45n,
      gainedMinor: 5200n,
      currency: 'GBP',
    },
  },
  lineCount: 3,
  openLineCount: 3,
  lines: [
    {
      id: id(34, 11),
      change: ProposedChange.MOVE,
      appointmentId: id(3, 3),
      customerName: 'Daniel Osei',
      from: place(48, 50, 4),
      to: place(63, 50, 4),
      shiftMinutes: 15,
    },
    {
      id: id(34, 12),
      change: ProposedChange.MOVE,
      appointmentId: id(3, 4),
      customerName: LONG_NAME,
      from: place(108, 115, 3),
      to: place(93, 115, 3),
      shiftMinutes: -15,
    },
    {
      id: id(34, 13),
      change: ProposedChange.BOOKING,
      waitlistEntryId: id(32, 1),
      customerName: 'Beatriz Monteiro',
      to: place(138, 45, 5),
    },
  ],
};

/** A month of a series, its third date taken, its fourth taken with nothing else free. */
function occurrences(startsAt: Timestamp, count: number): MessageInitShape<typeof PlannedOccurrenceSchema>[] {
  return Array.from({ length: count }, (_, index) => {
    const start = new Date(timestampDate(startsAt).getTime() + index * 28 * DAY_MS);
    const nearest = { startsAt: timestampFromDate(new Date(start.getTime() + 45 * 60_000)) };
    const known = { number: index + 1, date: dayOf(start), startsAt: timestampFromDate(start) };
    if (index === 2) return { ...known, reason: Reason.SLOT_TAKEN, nearest };
    if (index === 3) return { ...known, reason: Reason.NOT_WORKING };
    return { ...known, offer: { startsAt: known.startsAt } };
  });
}

const stranded = () => ({
  stranded: appointments.slice(3, 7).map(({ id: appointmentId, startsAt, customerName }) => ({
    appointmentId: appointmentId ?? '',
    customerName: customerName ?? '',
    employeeId: id(1, 9),
    employeeName: 'Kwame Mensah',
    ...(startsAt && { startsAt }),
  })),
});

/** A salon of another size: what it sells, and what holds between it. */
const WIDE = [
  'Patch test',
  'Consultation',
  'Wash',
  'Bleach',
  'Toner',
  'Balayage, full head with root melt and gloss',
  'Keratin treatment',
  'Scalp massage',
  'Bridal trial',
  'Bridal hair',
  'Make-up',
  'Manicure',
  'Pedicure',
].map((name, index) => ({
  ...services[3],
  id: id(2, 20 + index),
  name,
  category: index < 7 ? 'Colour' : index < 11 ? 'Occasions' : 'Nails',
}));

type Between = [first: number, then: number, rule: DependencyRule, more?: object];
const BETWEEN: Between[] = [
  [0, 3, DependencyRule.EARLIER_VISIT, { leastHours: 48, mostDays: 180 }],
  [0, 5, DependencyRule.EARLIER_VISIT, { leastHours: 48, mostDays: 180 }],
  [1, 5, DependencyRule.EARLIER_VISIT, { mostDays: 90 }],
  [3, 4, DependencyRule.ORDER, { mostGapMinutes: 15 }],
  [3, 4, DependencyRule.SAME_EMPLOYEE],
  [4, 2, DependencyRule.ORDER, { leastGapMinutes: 5, mostGapMinutes: 30 }],
  [5, 2, DependencyRule.ORDER],
  [2, 6, DependencyRule.ORDER],
  [2, 7, DependencyRule.ORDER],
  [6, 7, DependencyRule.DIFFERENT_EMPLOYEE],
  [8, 9, DependencyRule.EARLIER_VISIT, { leastHours: 168 }],
  [9, 10, DependencyRule.ORDER, { mostGapMinutes: 60 }],
  [9, 11, DependencyRule.PARALLEL],
  [11, 12, DependencyRule.PARALLEL],
];

const rules: MessageInitShape<typeof DependencySchema>[] = BETWEEN.map(
  ([first, then, rule, more], index) => ({
    id: id(35, 20 + index),
    firstServiceId: WIDE[first]?.id ?? '',
    thenServiceId: WIDE[then]?.id ?? '',
    rule,
    ...more,
  }),
);

/** Which rules a new one is refused for. */
export const CONTRADICTED = rules.slice(3, 6).map((rule) => rule.id ?? '');

/** Whether a question is about the salon of another size. */
export const isWide = ({ businessId }: Record<string, unknown>) => businessId === OTHER;
export const wideServices = WIDE;
export const wideRules = rules;

/** The answers to changes, and to their previews. */
export const DEED_ANSWERS: Record<string, Answer> = {
  OptimiseDay: () => ({
    proposal: better,
    run: { movesTried: 48_210n },
    before: { total: 1840n, lostMinutes: 95n, unplaced: 0n },
    after: { total: 1215n, lostMinutes: 30n, touched: 2n, movedMinutes: 30n, servedMinutes: 45n },
  }),
  PlanSeries: (request) => {
    const { startsAt, recurrence } = request as unknown as {
      startsAt: Timestamp;
      recurrence?: { count: number };
    };
    return { occurrences: occurrences(startsAt, recurrence?.count ?? 0), timeZone: ZONE };
  },
  SetWeeklySchedule: stranded,
  RemoveWeeklySchedule: stranded,
  SetDayHours: stranded,
};

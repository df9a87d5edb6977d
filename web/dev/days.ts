import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Timestamp, timestampDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { type Span, spansOf, without } from '../src/day/spans';
import {
  type AppointmentSchema,
  AppointmentState,
  type AppointmentStepSchema,
} from '../src/gen/frontdesk/scheduling/v1/appointment_pb';
import type { BlockSchema } from '../src/gen/frontdesk/scheduling/v1/block_pb';
import type { BusyOrigin } from '../src/gen/frontdesk/scheduling/v1/busy_source_pb';
import { SegmentKind, type ServiceSchema } from '../src/gen/frontdesk/scheduling/v1/catalogue_pb';
import {
  type DayColumnSchema,
  type DayItemSchema,
  DayUnavailableReason,
  type DayUnavailableSchema,
  type DayVisitSchema,
  type GetDayResponseSchema,
} from '../src/gen/frontdesk/scheduling/v1/day_pb';
import type {
  StrandedAppointmentSchema,
  WeeklySpanSchema,
} from '../src/gen/frontdesk/scheduling/v1/schedule_pb';
import { type TimeOffSchema, TimeOffState } from '../src/gen/frontdesk/scheduling/v1/time_off_pb';
import type { EmployeeSchema } from '../src/gen/frontdesk/tenancy/v1/employee_pb';
import { isManagerOrAbove } from '../src/session/roles';
import { dayAfter } from '../src/time/local';
import { MINUTES_A_DAY, weekdayOf } from '../src/time/local-day';

type Appointment = MessageInitShape<typeof AppointmentSchema>;
type Busy = { employeeId?: string; startsAt?: unknown; endsAt?: unknown; origin?: BusyOrigin };

/** The records of a salon in London, in winter. Every employee who works does so while it is open. */
export type Salon = {
  employees: readonly MessageInitShape<typeof EmployeeSchema>[];
  services: readonly MessageInitShape<typeof ServiceSchema>[];
  appointments: readonly Appointment[];
  openingHours: readonly MessageInitShape<typeof WeeklySpanSchema>[];
  works: (employeeId: string) => boolean;
  timeOff: readonly MessageInitShape<typeof TimeOffSchema>[];
  blocks: readonly MessageInitShape<typeof BlockSchema>[];
  busy: readonly Busy[];
};

/** What a viewer of a role sees of some days. */
export function daysOf(
  salon: Salon,
  { firstDate, lastDate, employeeId }: { firstDate: string; lastDate: string; employeeId: string },
  role: string,
): MessageInitShape<typeof GetDayResponseSchema> {
  const last = lastDate || firstDate;
  const dates: string[] = [];
  for (let date = firstDate; date <= last; date = dayAfter(date, 1)) dates.push(date);
  const manages = isManagerOrAbove(role);
  const taking = <T extends Busy>(records: readonly T[]) =>
    records.filter((record) => dates.some((date) => within(record, date).length > 0));
  return {
    timeZone: 'Europe/London',
    days: dates.map((date) => ({ date, spans: minutesOf(openOn(salon, date)) })),
    columns: dates.flatMap((date) =>
      salon.employees
        .filter(({ id }) => !employeeId || id === employeeId)
        .toSorted((one, other) => (one.name ?? '').localeCompare(other.name ?? ''))
        .map(({ id = '', name = '' }) => ({
          ...columnOf(salon, id, date),
          employeeName: name,
          mayBlock: manages,
        })),
    ),
    visits: salon.appointments
      .filter(({ startsAt }) => dates.includes(new Date(instant(startsAt)).toISOString().slice(0, 10)))
      .filter(({ state }) => state !== AppointmentState.CANCELLED)
      .toSorted((one, other) => instant(one.startsAt) - instant(other.startsAt))
      .map((appointment) => visitOf(salon, appointment)),
    blocks: taking(salon.blocks).map((block) => ({ block, mayUnblock: manages })),
    maySqueezeIn: manages,
  };
}

/** The visits from a date on whose employee is not at work. */
export function strandedIn(salon: Salon, from: string): MessageInitShape<typeof StrandedAppointmentSchema>[] {
  const start = Date.parse(`${from}T00:00Z`);
  return salon.appointments
    .filter(({ startsAt }) => instant(startsAt) >= start)
    .toSorted((one, other) => instant(one.startsAt) - instant(other.startsAt))
    .flatMap((appointment) => {
      const { id = '', startsAt, customerName = '', items = [] } = appointment;
      const lost = items.find((item) => spentOn(salon, appointment, item).isStranded);
      if (!lost) return [];
      const { employeeId = '', employeeName = '' } = lost;
      return [
        {
          appointmentId: id,
          ...(startsAt && { startsAt }),
          employeeId,
          employeeName,
          customerName,
          serviceNames: items.map(({ serviceName = '' }) => serviceName),
        },
      ];
    });
}

const { CONFIRMED, ARRIVED, IN_SERVICE, COMPLETED, NO_SHOW } = AppointmentState;

/** The states that a visit may be brought to, and when. */
export function stepsOf({
  state = 0,
  startsAt,
}: Appointment): MessageInitShape<typeof AppointmentStepSchema>[] {
  if (state >= COMPLETED || !startsAt) return [];
  const ahead = aheadOf(startsAt);
  const steps = [
    { state: CONFIRMED, until: startsAt },
    { state: ARRIVED, from: ahead },
    { state: IN_SERVICE, from: ahead },
    { state: COMPLETED, ...(state < IN_SERVICE && { from: startsAt }) },
  ];
  const missed = state <= CONFIRMED ? [{ state: NO_SHOW, from: startsAt }] : [];
  return [...steps.filter((step) => step.state > state), ...missed];
}

/** When a visit can be reported late. */
export function delayWindowOf({ state = 0, startsAt, endsAt }: Appointment) {
  if (state >= COMPLETED || !startsAt || !endsAt) return {};
  return { delayWindow: state < IN_SERVICE ? { from: aheadOf(startsAt), until: endsAt } : {} };
}

/** Visits begin at most two hours before their start. */
const aheadOf = (startsAt: unknown) => timestampFromMs(instant(startsAt) - 2 * 3_600_000);

const instant = (value: unknown): number =>
  value ? timestampDate(value as Timestamp).getTime() : Number.NaN;

/** What of a day something takes. */
function within({ startsAt, endsAt }: Busy, date: string): Span[] {
  const [from, to] = [startsAt, endsAt].map((at) =>
    Math.min(MINUTES_A_DAY, Math.max(0, (instant(at) - Date.parse(`${date}T00:00Z`)) / 60_000)),
  );
  return from !== undefined && to !== undefined && from < to ? [{ from, to }] : [];
}

const minutesOf = (spans: readonly Span[]) =>
  spans.map(({ from, to }) => ({ fromMinute: from, toMinute: to }));

function openOn({ openingHours }: Salon, date: string): Span[] {
  return spansOf(
    openingHours
      .filter(({ weekday }) => weekday === weekdayOf(date))
      .map(({ fromMinute = 0, toMinute = 0 }) => ({ fromMinute, toMinute })),
  );
}

const approved = ({ timeOff }: Salon, employee: string) =>
  timeOff.filter(({ employeeId, state }) => employeeId === employee && state === TimeOffState.APPROVED);

function workingOn(salon: Salon, employeeId: string, date: string): Span[] {
  const off = approved(salon, employeeId).flatMap((one) => within(one, date));
  return salon.works(employeeId) ? without(openOn(salon, date), off) : [];
}

function columnOf(salon: Salon, employeeId: string, date: string): MessageInitShape<typeof DayColumnSchema> {
  const open = openOn(salon, date);
  const works = salon.works(employeeId);
  const off = approved(salon, employeeId);
  type Unavailable = MessageInitShape<typeof DayUnavailableSchema>;
  const because = (spans: Span[], reason: DayUnavailableReason, more: Unavailable = {}): Unavailable[] =>
    minutesOf(spans).map((span) => ({ ...span, reason, ...more }));
  const theirs = <T extends Busy>(records: readonly T[]) =>
    records.filter((record) => record.employeeId === employeeId);
  const away = works
    ? []
    : without(
        open,
        off.flatMap((one) => within(one, date)),
      );
  return {
    date,
    employeeId,
    working: minutesOf(workingOn(salon, employeeId, date)),
    weekly: works ? minutesOf(open) : [],
    unavailable: [
      ...because(without([{ from: 0, to: MINUTES_A_DAY }], open), DayUnavailableReason.CLOSED),
      ...because(away, DayUnavailableReason.NOT_WORKING),
      ...off.flatMap((one) =>
        because(within(one, date), DayUnavailableReason.TIME_OFF, { timeOffKind: one.kind ?? 0 }),
      ),
      ...theirs(salon.blocks).flatMap((block) =>
        because(within(block, date), DayUnavailableReason.BLOCKED, { blockId: block.id ?? '' }),
      ),
      ...theirs(salon.busy).flatMap((busy) =>
        because(within(busy, date), DayUnavailableReason.BUSY, { busyOrigin: busy.origin ?? 0 }),
      ),
    ],
  };
}

type Placed = NonNullable<Appointment['items']>[number];

function visitOf(salon: Salon, appointment: Appointment): MessageInitShape<typeof DayVisitSchema> {
  return {
    appointment,
    items: (appointment.items ?? []).map((item) => spentOn(salon, appointment, item)),
    steps: stepsOf(appointment),
    ...delayWindowOf(appointment),
  };
}

function spentOn(
  salon: Salon,
  { state = 0, squeezedIn = false }: Appointment,
  item: Placed,
): MessageInitShape<typeof DayItemSchema> {
  const service = salon.services.find(({ id }) => id === item.serviceId);
  let at = 0;
  const processing = (service?.segments ?? []).flatMap(({ kind, minutes = 0 }): Span[] => {
    const from = at;
    at += minutes;
    return kind === SegmentKind.PROCESSING ? [{ from, to: at }] : [];
  });
  const date = new Date(instant(item.startsAt)).toISOString().slice(0, 10);
  const [whole] = within(item, date);
  const active = whole
    ? without(
        [whole],
        processing.map(({ from, to }) => ({ from: whole.from + from, to: whole.from + to })),
      )
    : [];
  const working = workingOn(salon, item.employeeId ?? '', date);
  return {
    processing: minutesOf(processing),
    bufferBeforeMinutes: service?.bufferBeforeMinutes ?? 0,
    bufferAfterMinutes: service?.bufferAfterMinutes ?? 0,
    isStranded: state <= CONFIRMED && !squeezedIn && without(active, working).length > 0,
  };
}

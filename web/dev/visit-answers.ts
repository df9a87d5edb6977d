import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  AppointmentDifference_Kind,
  type AppointmentSchema,
  AppointmentState,
} from '../src/gen/frontdesk/scheduling/v1/appointment_pb';
import { ImportKind, ImportLineState, ImportState } from '../src/gen/frontdesk/tenancy/v1/import_pb';
import type { Answer } from './answer';
import { SHOWN_CUSTOMER } from './customer-answers';
import { appointments, id, NOW } from './fixtures';

const DAY = 24 * 60;

const minutes = (later: number) => timestampFromDate(new Date(NOW.getTime() + later * 60_000));

type Visit = MessageInitShape<typeof AppointmentSchema>;

/** A visit like those of the day, at another time. */
function visit(number: number, start: number, more: Visit): Visit {
  const [like] = appointments;
  const at = { startsAt: minutes(start), endsAt: minutes(start + 45) };
  const items = (like?.items ?? []).map((item) => ({ ...item, ...at }));
  return { ...like, customerId: SHOWN_CUSTOMER, id: id(3, number), items, ...at, ...more } as Visit;
}

const SERIES = id(36, 1);
export const SERIES_VISIT = id(3, 904);
export const CANCELLED_VISIT = id(3, 920);

/** A visit every four weeks, the first of which is over, and one of which was moved by itself. */
const series = Array.from({ length: 9 }, (_, index) =>
  visit(901 + index, (index * 28 - 47) * DAY, {
    seriesId: SERIES,
    occurrence: index + 1,
    movedAlone: index === 5,
    state: index < 2 ? AppointmentState.COMPLETED : AppointmentState.BOOKED,
  }),
);

const cancelled = visit(920, 2 * DAY, {
  state: AppointmentState.CANCELLED,
  lateCancellation: true,
  cancellation: {
    cancelledBy: 'agent:1',
    cancelledAt: minutes(-95),
    reason: 'Has to look after a sick child, and will call again next week to find another time.',
  },
});

/** Visits that no list names. */
export const shownVisits = [...series, cancelled];

/** What was done with a visit over half a year. */
export const longHistory = {
  stateChanges: [
    { state: AppointmentState.BOOKED, enteredAt: minutes(-200 * DAY), enteredBy: 'agent:1' },
    { state: AppointmentState.CONFIRMED, enteredAt: minutes(-3 * DAY), enteredBy: 'user:someone' },
  ],
  placesLeft: Array.from({ length: 9 }, (_, index) => ({
    startsAt: minutes((index - 20) * DAY),
    employeeNames: [index % 2 ? 'Jin Park' : 'Sofia Marchetti'],
    leftAt: minutes((index - 30) * DAY),
    leftBy: index % 3 ? 'user:someone' : 'agent:1',
  })),
  edits: Array.from({ length: 8 }, (_, index) => ({
    editedAt: minutes((index - 15) * DAY),
    editedBy: 'user:me',
    differences: [
      { kind: AppointmentDifference_Kind.LENGTH, serviceName: 'Full colour', minutes: 80 + 5 * index },
    ],
  })),
};

const SHOWN_IMPORT = {
  id: id(37, 1),
  kind: ImportKind.ITEMS,
  fileName: 'products of the old system, spring.csv',
  state: ImportState.CHECKED,
  lineCount: 1284,
  checkedCount: 1284,
  badCount: 3,
  createdAt: minutes(-4),
};

const FAULTS = [
  ['18', 'price', 'is not an amount, as 12.50', 'Shampoo, 1 l', 'Care', 'twelve'],
  ['203', 'barcode', 'is not a barcode of 8, 12 or 13 digits', 'Hair mask', 'Care', '50123'],
  ['977', 'name', 'is required', '', 'Colour', '8.20'],
] as const;

const GOOD = [
  ['2', '', '', 'Bond builder, 250 ml', 'Care', '24.00'],
  ['3', '', '', 'Toner 9/16', 'Colour', '8.90'],
] as const;

export const VISIT_ANSWERS: Record<string, Answer> = {
  GetSeries: () => ({ series: { id: SERIES, appointments: series }, timeZone: 'Europe/London' }),
  ListImports: () => ({
    imports: [
      SHOWN_IMPORT,
      {
        ...SHOWN_IMPORT,
        id: id(37, 2),
        fileName: '',
        state: ImportState.DONE,
        importedCount: 1281,
        failedCount: 0,
      },
    ],
  }),
  GetImport: () => ({ import: SHOWN_IMPORT, columns: ['name', 'category', 'price'] }),
  ListImportLines: ({ state }) => ({
    lines: (state === ImportLineState.BAD ? FAULTS : GOOD).map(([line, field, fault, ...cells]) => ({
      line: Number(line),
      state: state as ImportLineState,
      field,
      fault,
      cells,
    })),
  }),
};

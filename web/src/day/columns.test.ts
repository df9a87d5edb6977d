import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { AppointmentSchema, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { BlockSchema } from '../gen/frontdesk/scheduling/v1/block_pb';
import { SegmentKind, ServiceSchema } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { OpeningExceptionSchema } from '../gen/frontdesk/scheduling/v1/opening_exception_pb';
import {
  DayHoursSchema,
  WeeklyScheduleSchema,
  WeeklySpanSchema,
} from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { TimeOffKind, TimeOffSchema } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { instantOf } from '../time/local';
import { columnsOf, loadText, type ScheduleData, shownHours } from './columns';
import { changeText, endingLater, movedTo, obstacleAt, placeOf, samePlace, withCardAt } from './move-visit';
import { neighbourOf } from './neighbours';

const ZONE = 'Europe/London';
const TUESDAY = '2026-11-24';
const at = (minute: number, day = TUESDAY) => timestampFromDate(instantOf(day, minute, ZONE));
const span = (fromMinute: number, toMinute: number, weekday = 2) =>
  create(WeeklySpanSchema, { weekday, fromMinute, toMinute });

const colour = create(ServiceSchema, {
  id: 'colour',
  name: 'Colour',
  employeeIds: ['ana'],
  bufferAfterMinutes: 10,
  segments: [
    { kind: SegmentKind.ACTIVE, minutes: 30 },
    { kind: SegmentKind.PROCESSING, minutes: 30 },
    { kind: SegmentKind.ACTIVE, minutes: 15 },
  ],
});
const cut = create(ServiceSchema, {
  id: 'cut',
  name: 'Cut',
  employeeIds: ['ana', 'ben'],
  segments: [{ kind: SegmentKind.ACTIVE, minutes: 30 }],
});

type Item = [service: string, employee: string, from: number, to: number];

function visit(id: string, items: Item[], more: MessageInitShape<typeof AppointmentSchema> = {}) {
  return create(AppointmentSchema, {
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
  });
}

function data(changes: Partial<ScheduleData> = {}): ScheduleData {
  const weeks = [create(WeeklyScheduleSchema, { spans: [span(600, 1020)] })];
  return {
    zone: ZONE,
    employees: [
      { id: 'ana', name: 'Ana' },
      { id: 'ben', name: 'Ben' },
    ],
    catalogue: new Map([
      [colour.id, colour],
      [cut.id, cut],
    ]),
    visits: [],
    openingWeek: [span(540, 1080)],
    exceptions: [],
    timeOff: [],
    blocks: [],
    weeks: new Map([
      ['ana', weeks],
      ['ben', weeks],
    ]),
    dayHours: new Map(),
    ...changes,
  };
}

const day = (changes: Partial<ScheduleData> = {}) => columnsOf(data(changes), [TUESDAY], '');
const ana = (changes: Partial<ScheduleData> = {}) => {
  const [column] = day(changes);
  if (!column) throw new Error('There is no column.');
  return column;
};

describe('hours', () => {
  it('are those of the salon in which the employee works, the rest is shaded and named', () => {
    const { working, shades } = ana();
    expect(working).toEqual([{ from: 600, to: 1020 }]);
    expect(shades).toEqual([
      { kind: 'closed', label: 'Closed', from: 0, to: 540 },
      { kind: 'closed', label: 'Closed', from: 1080, to: 1440 },
      { kind: 'away', label: 'Not working', from: 540, to: 600 },
      { kind: 'away', label: 'Not working', from: 1020, to: 1080 },
    ]);
  });

  it('of an exception count before the week’s, under its name', () => {
    const christmas = create(OpeningExceptionSchema, {
      firstDate: TUESDAY,
      lastDate: TUESDAY,
      label: 'Christmas',
    });
    const column = ana({ exceptions: [christmas] });
    expect(column.working).toEqual([]);
    expect(column.shades).toEqual([{ kind: 'closed', label: 'Christmas', from: 0, to: 1440 }]);
    expect(loadText(column)).toEqual({ text: 'Closed' });
  });

  it('are those of the last week that counts, or of the date itself', () => {
    const weeks = [
      create(WeeklyScheduleSchema, { effectiveFrom: '2026-12-01', spans: [span(900, 960)] }),
      create(WeeklyScheduleSchema, { effectiveFrom: '2026-11-01', spans: [span(720, 780)] }),
      create(WeeklyScheduleSchema, { spans: [span(600, 1020)] }),
    ];
    expect(ana({ weeks: new Map([['ana', weeks]]) }).working).toEqual([{ from: 720, to: 780 }]);
    const own = create(DayHoursSchema, { date: TUESDAY, spans: [{ fromMinute: 540, toMinute: 570 }] });
    const both = { weeks: new Map([['ana', weeks]]), dayHours: new Map([['ana', [own]]]) };
    expect(ana(both).working).toEqual([{ from: 540, to: 570 }]);
  });

  it('that can’t be read do not look like a day off', () => {
    expect(ana({ weeks: new Map() }).working).toEqual([{ from: 540, to: 1080 }]);
  });

  it('lose time off, also that which began days ago; blocks are drawn in them', () => {
    const timeOff = [
      create(TimeOffSchema, {
        employeeId: 'ana',
        kind: TimeOffKind.HOLIDAY,
        startsAt: at(600, '2026-11-20'),
        endsAt: at(660),
      }),
    ];
    const blocks = [
      create(BlockSchema, {
        id: 'lunch',
        employeeId: 'ana',
        title: 'Lunch',
        startsAt: at(720),
        endsAt: at(780),
      }),
    ];
    const { working, shades } = ana({ timeOff, blocks });
    expect(working).toEqual([{ from: 660, to: 1020 }]);
    expect(shades).toContainEqual({ kind: 'off', label: 'Holiday', from: 0, to: 660 });
    expect(shades).toContainEqual({ kind: 'blocked', blockId: 'lunch', label: 'Lunch', from: 720, to: 780 });
  });
});

describe('cards', () => {
  it('one employee’s services in a row are one card, each other employee has their own', () => {
    const visits = [
      visit('ada', [
        ['cut', 'ana', 600, 630],
        ['colour', 'ana', 630, 705],
        ['cut', 'ben', 705, 735],
      ]),
    ];
    const [first, second] = day({ visits });
    expect(first?.cards.map(({ services, from, to, part }) => [services, from, to, part])).toEqual([
      ['cut, colour', 600, 705, { number: 1, of: 2 }],
    ]);
    expect(second?.cards.map(({ services, part }) => [services, part])).toEqual([
      ['cut', { number: 2, of: 2 }],
    ]);
    expect(first?.cards[0]?.processing).toEqual([{ from: 660, to: 690 }]);
    expect(first?.cards[0]?.buffers).toEqual([{ from: 705, to: 715 }]);
  });

  it('tell nothing of processing where the service has other lengths by now', () => {
    expect(ana({ visits: [visit('ada', [['colour', 'ana', 600, 690]])] }).cards[0]?.processing).toEqual([]);
  });

  it('leave out cancelled visits, and stand side by side where a visit was squeezed in', () => {
    const visits = [
      visit('ada', [['cut', 'ana', 600, 630]]),
      visit('bea', [['cut', 'ana', 615, 645]], { squeezedIn: true }),
      visit('cem', [['cut', 'ana', 600, 630]], { state: AppointmentState.CANCELLED }),
    ];
    expect(ana({ visits }).cards.map(({ customer, lane, lanes }) => [customer, lane, lanes])).toEqual([
      ['ada', 0, 2],
      ['bea', 1, 2],
    ]);
  });

  it('of a former employee have a column', () => {
    const columns = day({ visits: [visit('ada', [['cut', 'cleo', 600, 630]])] });
    expect(columns.map(({ employeeName }) => employeeName)).toEqual(['Ana', 'Ben', 'cleo']);
  });
});

it('the load counts time with customers, not the time colour takes', () => {
  const visits = [visit('ada', [['colour', 'ana', 600, 675]]), visit('bea', [['cut', 'ana', 630, 660]])];
  // 45 and 30 of 420 minutes.
  expect(loadText(ana({ visits }))).toEqual({ text: '2 visits · 18%', unit: ' booked' });
});

it('whole hours are shown around work and visits, ordinary ones where there are none', () => {
  expect(shownHours(day())).toEqual({ from: 540, to: 1080 });
  expect(shownHours(day({ visits: [visit('ada', [['cut', 'ana', 420, 450]])] }))).toEqual({
    from: 360,
    to: 1080,
  });
  expect(shownHours([])).toEqual({ from: 480, to: 1140 });
});

describe('moving', () => {
  const visits = [
    visit('ada', [
      ['colour', 'ana', 600, 675],
      ['cut', 'ben', 675, 705],
    ]),
    visit('bea', [['cut', 'ben', 780, 810]]),
  ];
  const columns = day({ visits });
  const card = columns[0]?.cards[0];
  const ben = columns[1];
  if (!card || !ben) throw new Error('There is nothing to move.');
  const bens = { ...ben, taken: [{ from: 900, to: 960, label: 'Lunch' }] };
  const beas = ben.cards[1];
  if (!beas) throw new Error('Bea has no card.');

  it('takes along in time what is with others, and gives away only the card’s own', () => {
    const to = withCardAt(card, 15 * 60_000, 'ben');
    expect(to).toEqual({
      startsAt: instantOf(TUESDAY, 615, ZONE),
      employeeIds: ['ben', 'ben'],
      extraMinutes: [0, 0],
    });
    const moved = movedTo(card.appointment, to, (id) => id.toUpperCase());
    expect(moved.items.map(({ employeeId, employeeName }) => [employeeId, employeeName])).toEqual([
      ['ben', 'BEN'],
      ['ben', 'ben'],
    ]);
    expect(placeOf(moved)).toEqual(to);
    expect(samePlace(placeOf(card.appointment), to)).toBe(false);
  });

  it('the lower edge makes what is done last longer or shorter, and says so', () => {
    const longer = endingLater(card.appointment, 15);
    expect(longer.extraMinutes).toEqual([0, 15]);
    const moved = movedTo(card.appointment, longer, () => '');
    expect(moved.endsAt).toEqual(at(720));
    expect(moved.items.map(({ endsAt }) => endsAt)).toEqual([card.appointment.items[0]?.endsAt, at(720)]);
    expect(changeText(card.appointment, longer)).toBe('is 15 minutes longer');
    expect(changeText(moved, endingLater(moved, -5))).toBe('is 5 minutes shorter');
    expect(changeText(card.appointment, withCardAt(card, 15 * 60_000, 'ben'))).toBe('moved');
  });

  it('keeps the time colour takes where its visit is longer than the service', () => {
    const visits = [visit('eva', [['colour', 'ana', 600, 690]])];
    for (const item of visits[0]?.items ?? []) item.extraMinutes = 15;
    expect(day({ visits })[0]?.cards[0]?.processing).toEqual([{ from: 630, to: 660 }]);
  });

  it('reports the obstacle to a move', () => {
    const { catalogue } = data();
    const obstacle = (what: typeof card, from: number) => obstacleAt(what, from, bens, catalogue);
    expect(obstacle(card, 780)).toBe('Ben does not do Colour');
    expect(obstacle(beas, 690)).toBe('Ben is with ada');
    expect(obstacle(beas, 945)).toBe('Ben: Lunch');
    expect(obstacle(beas, 1005)).toBe('Outside Ben’s hours');
    expect(obstacle(beas, 840)).toBeUndefined();
  });

  it('into the processing time of a colour is no conflict', () => {
    const place = { ...ana({ visits }), taken: [] };
    expect(obstacleAt(beas, 630, place, data().catalogue)).toBeUndefined();
    expect(obstacleAt(beas, 640, place, data().catalogue)).toBe('Ana is with ada');
  });

  it('arrows lead up and down a column, and to the nearest in time beside it', () => {
    const to = (key: string, arrow: string) => neighbourOf(columns, key, arrow)?.key;
    expect(to('ada/1', 'ArrowDown')).toBe('bea/0');
    expect(to('bea/0', 'ArrowDown')).toBeUndefined();
    expect(to('bea/0', 'ArrowLeft')).toBe('ada/0');
    expect(to('ada/0', 'ArrowRight')).toBe('ada/1');
    expect(to('ada/0', 'Enter')).toBeUndefined();
  });
});

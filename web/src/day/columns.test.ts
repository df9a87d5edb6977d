import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { BusyOrigin } from '../gen/frontdesk/scheduling/v1/busy_source_pb';
import { ServiceSchema } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import {
  DayBlockSchema,
  DayOpeningSchema,
  DayUnavailableReason,
  type DayVisit,
} from '../gen/frontdesk/scheduling/v1/day_pb';
import { ContactOutcome, ContactSchema } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { TimeOffKind } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { at, column, dayOf, span, TUESDAY, unavailable, usual, visit, ZONE } from '../testing/day-answer';
import { instantOf } from '../time/local';
import { canBeAway, columnsOf, employeesOf, loadText, type ScheduleData, shownHours } from './columns';
import {
  elsewhere,
  endingLater,
  lengthText,
  movedTo,
  obstacleAt,
  placeOf,
  samePlace,
  withCardAt,
} from './move-visit';
import { neighbourOf } from './neighbours';

const { CLOSED, TIME_OFF, BLOCKED, BUSY } = DayUnavailableReason;

/** While a colour works in, its employee is free. */
const processing = { processing: [span(30, 60)], bufferAfterMinutes: 10 };
const catalogue = new Map(
  [
    { id: 'colour', name: 'Colour', employeeIds: ['ana'] },
    { id: 'cut', name: 'Cut', employeeIds: ['ana', 'ben'] },
  ].map((service) => [service.id, create(ServiceSchema, service)]),
);

const day = (changes: Partial<ScheduleData> = {}) => columnsOf(dayOf(changes), '');
const ana = (changes: Partial<ScheduleData> = {}) => {
  const [column] = day(changes);
  if (!column) throw new Error('There is no column.');
  return column;
};

describe('hours', () => {
  it('are those in which the employee works, the rest is shaded and named', () => {
    const { working, shades } = ana();
    expect(working).toEqual([{ from: 600, to: 1020 }]);
    expect(shades).toEqual([
      { kind: 'closed', label: 'Closed', from: 0, to: 540 },
      { kind: 'closed', label: 'Closed', from: 1080, to: 1440 },
      { kind: 'away', label: 'Not working', from: 540, to: 600 },
      { kind: 'away', label: 'Not working', from: 1020, to: 1080 },
    ]);
  });

  it('of an exception stand under its name', () => {
    const closed = ana({
      days: [create(DayOpeningSchema, { date: TUESDAY, label: 'Christmas' })],
      columns: [column('ana', { working: [], unavailable: [unavailable(CLOSED, 0, 1440)] })],
    });
    expect(closed.working).toEqual([]);
    expect(closed.shades).toEqual([{ kind: 'closed', label: 'Christmas', from: 0, to: 1440 }]);
    expect(loadText(closed)).toEqual({ text: 'Closed' });
  });

  it('say what takes them: time off, blocks, entries from outside', () => {
    const blocks = [create(DayBlockSchema, { block: { id: 'lunch', employeeId: 'ana', title: 'Lunch' } })];
    const taken = [
      unavailable(TIME_OFF, 0, 660, { timeOffKind: TimeOffKind.HOLIDAY }),
      unavailable(TIME_OFF, 960, 1440),
      unavailable(BLOCKED, 720, 780, { blockId: 'lunch' }),
      unavailable(BUSY, 840, 870, { busyOrigin: BusyOrigin.CALENDAR }),
      unavailable(BUSY, 855, 900, { busyOrigin: BusyOrigin.CALENDAR }),
      unavailable(BUSY, 840, 870, { busyOrigin: BusyOrigin.PROVIDER }),
    ];
    const { shades } = ana({ columns: [column('ana', { unavailable: taken })], blocks });
    expect(shades).toEqual([
      { kind: 'off', label: 'Holiday', from: 0, to: 660 },
      // The reason for a colleague's absence is private.
      { kind: 'off', label: 'Time off', from: 960, to: 1440 },
      { kind: 'blocked', blockId: 'lunch', label: 'Lunch', from: 720, to: 780 },
      { kind: 'busy', label: 'Busy in their calendar', from: 840, to: 900 },
      { kind: 'busy', label: 'Busy in the booking system', from: 840, to: 870 },
    ]);
  });
});

describe('cards', () => {
  it('one employee’s services in a row are one card, each other employee has their own', () => {
    const visits = [
      visit('ada', [
        ['cut', 'ana', 600, 630, { bufferBeforeMinutes: 5 }],
        ['colour', 'ana', 630, 705, processing],
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
    expect(first?.cards[0]?.buffers).toEqual([
      { from: 595, to: 600 },
      { from: 705, to: 715 },
    ]);
  });

  it('are stranded where some of their services are', () => {
    const visits = [
      visit('ada', [
        ['cut', 'ana', 600, 630],
        ['colour', 'ana', 630, 705, { isStranded: true }],
        ['cut', 'ben', 705, 735],
      ]),
    ];
    const stranded = day({ visits }).map(({ cards }) => cards.map((card) => card.stranded));
    expect(stranded).toEqual([[true], [false]]);
  });

  it('whose customer was told are not stranded, and look so until the visit is moved', () => {
    const told = {
      ...visit('ada', [['cut', 'ana', 600, 630]]),
      contacts: [create(ContactSchema, { outcome: ContactOutcome.TOLD })],
    };
    const called = {
      ...visit('bob', [['cut', 'ben', 600, 630, { isStranded: true }]]),
      contacts: [create(ContactSchema, { outcome: ContactOutcome.NO_ANSWER })],
    };
    const look = (visits: DayVisit[]) =>
      day({ visits }).flatMap(({ cards }) => cards.map(({ stranded, told }) => [stranded, told]));
    expect(look([told, called])).toEqual([
      [false, true],
      [true, false],
    ]);
    if (!told.appointment) throw new Error('Ada has a visit.');
    expect(look([elsewhere(told, told.appointment)])).toEqual([[false, false]]);
  });

  it('stand side by side where a visit was squeezed in', () => {
    const visits = [
      visit('ada', [['cut', 'ana', 600, 630]]),
      visit('bea', [['cut', 'ana', 615, 645]], { squeezedIn: true }),
    ];
    expect(ana({ visits }).cards.map(({ customer, lane, lanes }) => [customer, lane, lanes])).toEqual([
      ['ada', 0, 2],
      ['bea', 1, 2],
    ]);
  });

  it('of an employee who is not known yet have a column, the last', () => {
    const columns = [column('cleo', { employeeName: '' }), column('ana'), column('ben')];
    const visits = [visit('ada', [['cut', 'cleo', 600, 630]])];
    const names = day({ columns, visits }).map(({ employeeName }) => employeeName);
    expect(names).toEqual(['Ana', 'Ben', 'cleo']);
    expect(employeesOf(columns).map(({ id }) => id)).toEqual(['ana', 'ben']);
  });
});

it('a week of one employee has their columns alone', () => {
  const week = [TUESDAY, '2026-11-25'].flatMap((date) => [column('ana', { date }), column('ben', { date })]);
  const columns = columnsOf(dayOf({ columns: week }), 'ben');
  expect(columns.map(({ key }) => key)).toEqual(['2026-11-24/ben', '2026-11-25/ben']);
  expect(employeesOf(week).map(({ name }) => name)).toEqual(['Ana', 'Ben']);
});

it('an absence is reported of someone who works or has visits, from today on', () => {
  const off = [column('ana', { working: [] })];
  expect(canBeAway(ana(), TUESDAY, true)).toBe(true);
  expect(canBeAway(ana(), '2026-11-25', true)).toBe(false);
  expect(canBeAway(ana({ columns: off }), TUESDAY, true)).toBe(false);
  const visits = [visit('ada', [['cut', 'ana', 600, 630]])];
  expect(canBeAway(ana({ columns: off, visits }), TUESDAY, true)).toBe(true);
});

it('an absence of others is reported by a person who decides alone, the own one by everyone', () => {
  expect(canBeAway(ana(), TUESDAY, false)).toBe(false);
  expect(canBeAway(ana({ columns: [column('ana', { own: true })] }), TUESDAY, false)).toBe(true);
});

it('the load counts time with customers, not the time colour takes', () => {
  const visits = [
    visit('ada', [['colour', 'ana', 600, 675, processing]]),
    visit('bea', [['cut', 'ana', 630, 660]]),
  ];
  // 45 and 30 of 420 minutes.
  expect(loadText(ana({ visits }))).toEqual({ text: '2 visits · 18%', unit: ' booked' });
  const taken = [
    ...usual,
    unavailable(BLOCKED, 720, 780),
    unavailable(BUSY, 900, 960, { busyOrigin: BusyOrigin.CALENDAR }),
  ];
  // Of 300.
  expect(loadText(ana({ visits, columns: [column('ana', { unavailable: taken })] })).text).toBe(
    '2 visits · 25%',
  );
});

it('the load leaves out visits for which the employee is away', () => {
  const visits = [visit('ada', [['cut', 'ana', 600, 660]]), visit('bea', [['cut', 'ana', 900, 960]])];
  const sick = [column('ana', { working: [span(600, 720)] })];
  expect(loadText(ana({ visits, columns: sick })).text).toBe('2 visits · 50%');
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
      ['colour', 'ana', 600, 675, processing],
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

  it('keeps how its employees spend their time, and is not stranded before the server says so', () => {
    const late = visit('eva', [['colour', 'ana', 1080, 1155, { ...processing, isStranded: true }]]);
    if (!late.appointment) throw new Error('Eva has a visit.');
    const to = {
      ...placeOf(late.appointment),
      startsAt: instantOf(TUESDAY, 615, ZONE),
      employeeIds: ['ben'],
    };
    const moved = elsewhere(
      late,
      movedTo(late.appointment, to, () => 'Ben'),
    );
    const [, bens] = day({ visits: [moved] });
    const [card] = bens?.cards ?? [];
    expect(card).toMatchObject({ from: 615, to: 690, stranded: false });
    expect(card?.processing).toEqual([{ from: 645, to: 675 }]);
    expect(card?.buffers).toEqual([{ from: 690, to: 700 }]);
  });

  it('the lower edge makes what is done last longer or shorter, and says so', () => {
    const longer = endingLater(card.appointment, 15);
    expect(longer.extraMinutes).toEqual([0, 15]);
    const moved = movedTo(card.appointment, longer, () => '');
    expect(moved.endsAt).toEqual(at(720));
    expect(moved.items.map(({ endsAt }) => endsAt)).toEqual([card.appointment.items[0]?.endsAt, at(720)]);
    expect(lengthText(card.appointment, longer)).toBe('is 15 minutes longer');
    expect(lengthText(moved, endingLater(moved, -5))).toBe('is 5 minutes shorter');
    expect(lengthText(card.appointment, withCardAt(card, 15 * 60_000, 'ben'))).toBeUndefined();
  });

  it('reports the obstacle to a move', () => {
    const obstacle = (what: typeof card, from: number) => obstacleAt(what, from, bens, catalogue);
    expect(obstacle(card, 780)).toBe('Ben does not do Colour');
    expect(obstacle(beas, 690)).toBe('Ben is with ada');
    expect(obstacle(beas, 945)).toBe('Ben: Lunch');
    expect(obstacle(beas, 1005)).toBe('Outside Ben’s hours');
    expect(obstacle(beas, 840)).toBeUndefined();
  });

  it('into the processing time of a colour is no conflict', () => {
    const place = { ...ana({ visits }), taken: [] };
    expect(obstacleAt(beas, 630, place, catalogue)).toBeUndefined();
    expect(obstacleAt(beas, 640, place, catalogue)).toBe('Ana is with ada');
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

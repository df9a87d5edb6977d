import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import type { Column, PlacedCard, Shade } from '../day/columns';
import type { Span } from '../day/spans';
import { AppointmentSchema, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { byPresence, presenceOf } from './presence';
import { doingText, presenceText } from './presence-text';

const [NINE, TEN, ELEVEN, NOON, ONE, TWO, SIX] = [540, 600, 660, 720, 780, 840, 1080];

function card(customer: string, from: number, to: number, more: Partial<PlacedCard> = {}): PlacedCard {
  return {
    from,
    to,
    key: customer,
    appointment: create(AppointmentSchema, { id: customer, state: AppointmentState.BOOKED }),
    employeeId: 'ana',
    employeeName: 'Ana',
    day: '2026-11-24',
    customer,
    services: '',
    serviceIds: [],
    resources: '',
    processing: [],
    buffers: [],
    stranded: false,
    told: false,
    locked: '',
    part: undefined,
    look: '',
    lane: 0,
    lanes: 1,
    ...more,
  };
}

const column = (working: Span[], cards: PlacedCard[] = [], shades: Shade[] = []): Column => ({
  key: 'ana',
  day: '2026-11-24',
  employeeId: 'ana',
  employeeName: 'Ana',
  working,
  own: false,
  hasOwnHours: false,
  shades,
  cards,
});

const inState = (state: AppointmentState) => ({ appointment: create(AppointmentSchema, { state }) });
const morningAndAfternoon = [
  { from: NINE, to: ONE },
  { from: TWO, to: SIX },
];

const textAt = (minute: number, of: Column) => {
  const presence = presenceOf(of, minute);
  return presence.kind === 'here'
    ? `${presenceText(presence)}: ${doingText(presence.doing)}`
    : presenceText(presence);
};

describe('who is at work', () => {
  it('comes, is here, takes a break and leaves', () => {
    const day = column(morningAndAfternoon);
    expect(presenceText(presenceOf(day, NINE - 1))).toBe('from 9:00');
    expect(presenceText(presenceOf(day, NINE))).toBe('until 13:00, back at 14:00');
    expect(presenceText(presenceOf(day, ONE))).toBe('back at 14:00');
    expect(presenceText(presenceOf(day, TWO))).toBe('until 18:00');
    expect(presenceText(presenceOf(day, SIX))).toBe('left at 18:00');
  });

  it('works through where one span ends as the next begins', () => {
    const day = column([
      { from: NINE, to: ONE },
      { from: ONE, to: SIX },
    ]);
    expect(presenceText(presenceOf(day, TEN))).toBe('until 18:00');
  });

  it('is off for a reason', () => {
    const shades: Shade[] = [
      { from: 0, to: NINE, kind: 'closed', label: 'Closed' },
      { from: NINE, to: SIX, kind: 'off', label: 'Holiday' },
    ];
    expect(presenceOf(column([], [], shades), TEN)).toEqual({ kind: 'off', why: 'Holiday' });
    expect(presenceOf(column([], [], shades.slice(0, 1)), TEN)).toEqual({ kind: 'off', why: 'Closed' });
  });

  it('is sorted by presence', () => {
    const of = (...spans: Span[]) => presenceOf(column(spans), TEN);
    const off = of();
    const gone = of({ from: 0, to: NINE });
    const later = of({ from: NOON, to: SIX });
    const soonGone = of({ from: NINE, to: NOON });
    const here = of({ from: NINE, to: SIX });
    expect([off, gone, later, here, soonGone].sort(byPresence)).toEqual([soonGone, here, later, gone, off]);
  });
});

describe('what an employee at work does', () => {
  const working = [{ from: NINE, to: SIX }];

  it('is the current visit, described by its state', () => {
    const text = (state: AppointmentState) =>
      textAt(TEN, column(working, [card('Priya', TEN, ELEVEN, inState(state))]));
    expect(text(AppointmentState.BOOKED)).toBe('until 18:00: Booked for Priya until 11:00');
    expect(text(AppointmentState.ARRIVED)).toBe('until 18:00: Priya is here until 11:00');
    expect(text(AppointmentState.IN_SERVICE)).toBe('until 18:00: With Priya until 11:00');
    expect(text(AppointmentState.NO_SHOW)).toBe('until 18:00: Free for the rest of the shift');
  });

  it('is nothing while a colour sets, until it is to be washed out', () => {
    const day = column(working, [
      card('Priya', TEN, NOON, {
        processing: [{ from: 630, to: ELEVEN }],
        ...inState(AppointmentState.IN_SERVICE),
      }),
    ]);
    expect(textAt(TEN, day)).toBe('until 18:00: With Priya until 10:30');
    expect(textAt(640, day)).toBe('until 18:00: Free until 11:00');
    expect(textAt(ELEVEN, day)).toBe('until 18:00: With Priya until 12:00');
  });

  it('is free until the next visit or block', () => {
    const blocks: Shade[] = [
      { from: NOON, to: ONE, kind: 'blocked', label: 'Training', blockId: 'training' },
    ];
    const day = column(working, [card('Priya', TWO, SIX)], blocks);
    expect(textAt(TEN, day)).toBe('until 18:00: Free until 12:00');
    expect(textAt(NOON, day)).toBe('until 18:00: Training until 13:00');
    expect(textAt(ONE, day)).toBe('until 18:00: Free until 14:00');
  });

  it('is busy where an outside calendar says so', () => {
    const busy: Shade[] = [{ from: NOON, to: ONE, kind: 'busy', label: 'Busy in their calendar' }];
    expect(textAt(TEN, column(working, [], busy))).toBe('until 18:00: Free until 12:00');
    expect(textAt(NOON, column(working, [], busy))).toBe('until 18:00: Busy in their calendar until 13:00');
  });
});

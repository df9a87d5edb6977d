import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import type { Column, PlacedCard } from '../day/columns';
import type { Span } from '../day/spans';
import { AppointmentSchema, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { coverageOf, hourText, strainOf } from './coverage';

const TUESDAY = '2026-11-24';

type Booked = Span & { processing?: Span[]; state?: AppointmentState };

const person = (working: Span[], ...booked: Booked[]) =>
  ({
    working,
    cards: booked.map(
      ({ from, to, processing = [], state = AppointmentState.BOOKED }) =>
        ({
          from,
          to,
          processing,
          appointment: create(AppointmentSchema, { state }),
        }) as unknown as PlacedCard,
    ),
  }) as Column;

const [NINE, TEN, NOON] = [540, 600, 720];
const morning = { from: NINE, to: NOON };
const at = (columns: Column[], hour: number) => coverageOf(columns, morning).find((one) => one.hour === hour);

describe('coverage', () => {
  it('covers every requested hour of the day', () => {
    expect(coverageOf([], { from: 550, to: 705 })).toEqual([
      { hour: 9, atWork: 0, booked: 0 },
      { hour: 10, atWork: 0, booked: 0 },
      { hour: 11, atWork: 0, booked: 0 },
    ]);
  });

  it('counts employees who are at work, or with a customer, for half of the hour', () => {
    const columns = [
      person([morning], { from: NINE, to: 565 }, { from: 570, to: 580 }),
      person([morning], { from: NINE, to: 565 }),
      person([{ from: 575, to: NOON }]),
      person([{ from: 570, to: NOON }]),
    ];
    expect(at(columns, 9)).toEqual({ hour: 9, atWork: 3, booked: 1 });
    expect(at(columns, 10)).toEqual({ hour: 10, atWork: 4, booked: 0 });
  });

  it('counts no employee twice, and neither processing time nor no-shows', () => {
    const twice = person([morning], { from: NINE, to: 560 }, { from: NINE, to: 560 });
    const colour = person([morning], { from: NINE, to: NOON, processing: [{ from: TEN, to: 660 }] });
    const absent = person([morning], { from: NINE, to: NOON, state: AppointmentState.NO_SHOW });
    expect(at([twice, colour, absent], 9)).toEqual({ hour: 9, atWork: 3, booked: 1 });
    expect(at([twice, colour, absent], 10)).toEqual({ hour: 10, atWork: 3, booked: 0 });
  });

  it.each([
    [0, 0, 'none'],
    [3, 2, 'ample'],
    [4, 3, 'tight'],
    [1, 1, 'tight'],
    [1, 2, 'short'],
    [0, 1, 'short'],
  ] as const)('%i at work and %i booked: %s', (atWork, booked, strain) => {
    expect(strainOf({ atWork, booked })).toBe(strain);
  });

  it('can be read out', () => {
    expect(hourText(TUESDAY, { hour: 14, atWork: 3, booked: 2 })).toBe('Tuesday 14:00: 3 at work, 2 booked');
  });
});

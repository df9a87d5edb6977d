import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { AppointmentSchema } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { ProposalLineSchema, ProposedPlaceSchema } from '../gen/frontdesk/scheduling/v1/proposal_pb';
import { instantOf } from '../time/local';
import { columnsOf } from './columns';
import { hoursOf, picturesOf } from './day-picture';

const ZONE = 'Europe/London';
const DAY = '2026-11-24';
const at = (minute: number) => timestampFromDate(instantOf(DAY, minute, ZONE));

const visit = (id: string, employeeId: string, from: number) =>
  create(AppointmentSchema, {
    id,
    customerId: id,
    customerName: id,
    startsAt: at(from),
    endsAt: at(from + 30),
    items: [{ serviceId: 'cut', employeeId, startsAt: at(from), endsAt: at(from + 30) }],
  });
const place = (from: number, ...employeeIds: string[]) =>
  create(ProposedPlaceSchema, { startsAt: at(from), endsAt: at(from + 30), employeeIds });

const employees = ['ana', 'ben', 'cleo'].map((id) => ({ id, name: id }));
const visits = [visit('Ida', 'ana', 600), visit('Jo', 'ana', 660)];
const catalogue = new Map();
const columns = columnsOf(
  {
    zone: ZONE,
    employees,
    catalogue,
    visits,
    openingWeek: [],
    exceptions: [],
    timeOff: [],
    blocks: [],
    weeks: new Map(),
    dayHours: new Map(),
  },
  [DAY],
  '',
);
const known = { day: DAY, zone: ZONE, columns, visits, employees, catalogue };

const lines = [
  create(ProposalLineSchema, {
    id: '1',
    appointmentId: 'Ida',
    customerName: 'Ida',
    from: place(600, 'ana'),
    to: place(630, 'ben'),
  }),
  create(ProposalLineSchema, {
    id: '2',
    waitlistEntryId: 'wait',
    customerName: 'Wanda',
    to: place(600, 'ana'),
  }),
];

describe('a day in small', () => {
  const { before, after } = picturesOf(lines, known);
  const told = (picture: typeof before) =>
    picture.map(({ name, cards }) => [
      name,
      cards.map((card) => `${card.name} ${card.from}${card.changed ? '!' : ''}`),
    ]);

  it('has the columns that change, as they were and as they would be', () => {
    expect(told(before)).toEqual([
      ['ana', ['Jo 660', 'Ida 600!']],
      ['ben', []],
    ]);
    expect(told(after)).toEqual([
      ['ana', ['Jo 660', 'Wanda 600!']],
      ['ben', ['Ida 630!']],
    ]);
  });

  it('leaves a visit without a new place where it is', () => {
    const [line] = lines;
    const unplaced = create(ProposalLineSchema, { id: '3', appointmentId: 'Ida', customerName: 'Ida' });
    if (line?.from) unplaced.from = line.from;
    expect(told(picturesOf([unplaced], known).after)).toEqual([['ana', ['Jo 660', 'Ida 600!']]]);
  });

  it('shows the whole hours around all of it', () => {
    expect(hoursOf([...before, ...after])).toEqual({ from: 600, to: 720 });
  });
});

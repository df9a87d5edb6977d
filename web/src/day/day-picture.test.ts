import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { ProposalLineSchema, ProposedPlaceSchema } from '../gen/frontdesk/scheduling/v1/proposal_pb';
import { at, column, dayOf, TUESDAY, visit, ZONE } from '../testing/day-answer';
import { columnsOf, employeesOf } from './columns';
import { ghostsOf, hoursOf, picturesOf } from './day-picture';

const place = (from: number, ...employeeIds: string[]) =>
  create(ProposedPlaceSchema, { startsAt: at(from), endsAt: at(from + 30), employeeIds });

const visits = [visit('Ida', [['cut', 'ana', 600, 630]]), visit('Jo', [['cut', 'ana', 660, 690]])];
const answered = ['ana', 'ben', 'cleo'].map((id) => column(id, { employeeName: id, working: [] }));
const columns = columnsOf(dayOf({ columns: answered, visits }), '');
const known = { day: TUESDAY, zone: ZONE, columns, visits, employees: employeesOf(answered) };

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

  it('is drawn over the columns: where visits leave, and where they go', () => {
    const ghosts = ghostsOf(lines, known);
    const drawn = columns.map(({ key, employeeName }) => [
      employeeName,
      (ghosts.get(key) ?? []).map(({ name, from, then }) => `${then ? 'then' : 'now'} ${name} ${from}`),
    ]);
    expect(drawn).toEqual([
      ['ana', ['now Ida 600', 'then Wanda 600']],
      ['ben', ['then Ida 630']],
      ['cleo', []],
    ]);
  });

  it('shows the whole hours around all of it', () => {
    expect(hoursOf([...before, ...after])).toEqual({ from: 600, to: 720 });
  });
});

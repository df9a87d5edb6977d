import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { AppointmentSchema } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { OptimisationCauseSchema } from '../gen/frontdesk/scheduling/v1/optimisation_pb';
import {
  AbsenceCauseSchema,
  ProposalLineSchema,
  ProposalSchema,
  ProposedChange,
  ProposedPlaceSchema,
  ProposedSince,
} from '../gen/frontdesk/scheduling/v1/proposal_pb';
import {
  appliedText,
  callsText,
  causeText,
  changeText,
  customersText,
  employeesIn,
  gainText,
  isApplicable,
  placeText,
  sinceText,
  undoneText,
} from './wording';

const names = new Map([['maya', 'Maya Okafor']]);
const line = (init: MessageInitShape<typeof ProposalLineSchema>) => create(ProposalLineSchema, init);

const visit = (customerName: string) =>
  create(AppointmentSchema, {
    customerName,
    startsAt: timestampFromDate(new Date('2026-06-02T10:30:00Z')),
    items: [{ employeeName: 'Maya Okafor' }],
  });

it('the employees of a proposal are those who are away and those of its places', () => {
  const place = (employeeIds: string[]) => create(ProposedPlaceSchema, { employeeIds });
  const proposal = create(ProposalSchema, {
    cause: { case: 'absence', value: create(AbsenceCauseSchema, { employeeId: 'tom' }) },
    lines: [line({ from: place(['tom']), to: place(['maya']), current: place(['mia', 'noah']) })],
  });
  expect(new Set(employeesIn(proposal))).toEqual(new Set(['tom', 'maya', 'mia', 'noah']));
});

describe('a proposal', () => {
  it('says what a better day brings, and who has to be called', () => {
    const cause = create(OptimisationCauseSchema, {
      gainedMinutes: 35n,
      gainedMinor: 4000n,
      currency: 'GBP',
    });
    expect(gainText(cause)).toBe('Gains 35 min of work, about £40 at list prices.');
    expect(gainText({ ...cause, gainedMinor: 0n })).toBe('Gains 35 min of work.');
    const move = line({ change: ProposedChange.MOVE });
    const booking = line({ change: ProposedChange.BOOKING });
    const applied = line({ change: ProposedChange.MOVE, isApplied: true });
    expect(callsText([move, applied])).toBe('1 customer to call about another time.');
    expect(callsText([move, move, booking])).toBe(
      '2 customers to call about another time and 1 customer of the waitlist to call about a booking.',
    );
    expect(callsText([applied])).toBe('No customer is left to call.');
  });

  it('says who was moved to when, and whom an undo brings back', () => {
    const [ben, mia] = [visit('Ben Carter'), visit('Mia Wong')];
    expect(appliedText([ben], 'Europe/London')).toMatch(
      /^Ben Carter is booked for .+, 11:30 with Maya Okafor\.$/,
    );
    expect(appliedText([ben, mia], 'Europe/London')).toBe('2 visits changed: Ben Carter and Mia Wong.');
    expect(undoneText([ben])).toBe('The visit of Ben Carter is as it was before.');
    expect(undoneText([ben, mia])).toBe('2 visits are as they were before.');
  });

  it('says why it is there', () => {
    const absence = create(ProposalSchema, { cause: { case: 'absence', value: { employeeId: 'maya' } } });
    expect(causeText(absence, names)).toBe('Maya Okafor is away');
    expect(causeText(absence, new Map())).toBe('An employee is away');
    const delay = create(ProposalSchema, { cause: { case: 'delay', value: { minutes: 20 } } });
    expect(causeText(delay, names)).toBe('A visit runs 20 minutes late');
  });

  it('names times and employees, each once', () => {
    const place = create(ProposedPlaceSchema, {
      startsAt: timestampFromDate(new Date('2026-06-02T09:00:00Z')),
      endsAt: timestampFromDate(new Date('2026-06-02T09:45:00Z')),
      employeeIds: ['maya', 'maya', 'gone'],
    });
    expect(placeText(place, names, 'Europe/London')).toBe('10:00 – 10:45 with Maya Okafor');
  });

  it('describes the change of each line', () => {
    const move = ProposedChange.MOVE;
    expect(changeText(line({ change: move, shiftMinutes: -15 }))).toBe('15 min earlier');
    expect(changeText(line({ change: move, shiftMinutes: 150 }))).toBe('2 h 30 min later');
    expect(changeText(line({ change: move, shiftMinutes: 10, employeesChanged: 1 }))).toBe(
      '10 min later, with another employee',
    );
    expect(changeText(line({ change: ProposedChange.UNPLACED }))).toBe('No free time that day');
  });

  it('applies only lines with a new place, once', () => {
    const { MOVE, UNPLACED } = ProposedChange;
    expect(
      [line({ change: MOVE }), line({ change: MOVE, isApplied: true }), line({ change: UNPLACED })].map(
        isApplicable,
      ),
    ).toEqual([true, false, false]);
  });

  it('marks lines whose visit was changed by hand, and applies them no more', () => {
    const moved = line({
      change: ProposedChange.MOVE,
      since: ProposedSince.MOVED,
      current: {
        startsAt: timestampFromDate(new Date('2026-06-02T10:30:00Z')),
        endsAt: timestampFromDate(new Date('2026-06-02T11:00:00Z')),
        employeeIds: ['maya'],
      },
    });
    expect(sinceText(moved, names, 'Europe/London')).toBe('Moved by hand to 11:30 – 12:00 with Maya Okafor');
    expect(isApplicable(moved)).toBe(false);
    const text = (since: ProposedSince) => sinceText(line({ since }), names, 'Europe/London');
    expect(text(ProposedSince.CANCELLED)).toBe('Cancelled since');
    expect(text(ProposedSince.UNSPECIFIED)).toBe('');
  });

  it('counts customers', () => {
    expect([customersText(1), customersText(3)]).toEqual(['1 customer', '3 customers']);
  });
});

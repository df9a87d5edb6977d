import { customerOf, whenAndWho } from '../day/naming';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { OptimisationCause } from '../gen/frontdesk/scheduling/v1/optimisation_pb';
import {
  type Proposal,
  type ProposalLine,
  ProposedChange,
  type ProposedPlace,
  ProposedSince,
} from '../gen/frontdesk/scheduling/v1/proposal_pb';
import { inSentence } from '../time/in-sentence';
import { minutesText, moment, timeSpan } from '../time/zoned';
import { moneyText } from '../ui/money';

const LIST = new Intl.ListFormat('en-GB');

export type Names = ReadonlyMap<string, string>;

/** The employees that the words about a proposal name. */
export function employeesIn({ cause, lines }: Proposal): string[] {
  const places = lines.flatMap(({ from, to, current }) => [from, to, current]);
  const placed = places.flatMap((place) => place?.employeeIds ?? []);
  return cause.case === 'absence' ? [cause.value.employeeId, ...placed] : placed;
}

/** The reason for a proposal: an absence, a delay, the waitlist or an optimisation. */
export function causeText({ cause }: Proposal, names: Names): string {
  switch (cause.case) {
    case 'absence':
      return `${names.get(cause.value.employeeId) ?? 'An employee'} is away`;
    case 'delay':
      return `A visit runs ${cause.value.minutes} minutes late`;
    case 'optimisation':
      return 'A better day';
    default:
      return 'Changes';
  }
}

/** "10:00 – 10:45 with Maya Okafor". */
export function placeText(place: ProposedPlace, names: Names, zone: string): string {
  const [from, to] = [moment(place.startsAt), moment(place.endsAt)];
  if (!from || !to) return '';
  const people = [...new Set(place.employeeIds.flatMap((id) => names.get(id) ?? []))];
  const span = timeSpan(from, to, zone);
  return people.length > 0 ? `${span} with ${new Intl.ListFormat('en-GB').format(people)}` : span;
}

/** The change of a line, in a few words. */
export function changeText({ change, shiftMinutes, employeesChanged }: ProposalLine): string {
  switch (change) {
    case ProposedChange.EXTENSION:
      return 'Ends later';
    case ProposedChange.UNPLACED:
      return 'No free time that day';
    case ProposedChange.BOOKING:
      return 'From the waitlist';
    default: {
      const shift =
        shiftMinutes === 0
          ? ''
          : `${minutesText(Math.abs(shiftMinutes))} ${shiftMinutes > 0 ? 'later' : 'earlier'}`;
      return (
        [shift, employeesChanged > 0 ? 'with another employee' : ''].filter(Boolean).join(', ') || 'Moves'
      );
    }
  }
}

/** Lines that can be applied: not applied yet, still about the visit as it is, and with a new place. */
export const isApplicable = (line: ProposalLine): boolean =>
  isOpen(line) && line.change !== ProposedChange.UNPLACED;

/** Lines that are not applied, and whose visit was not changed since. */
export const isOpen = ({ isApplied, since }: ProposalLine): boolean =>
  !isApplied && since === ProposedSince.UNSPECIFIED;

/** What was done by hand since, as "Moved to 11:30 – 12:00 with Noah Adeyemi"; empty where nothing was. */
export function sinceText({ since, current }: ProposalLine, names: Names, zone: string): string {
  switch (since) {
    case ProposedSince.MOVED:
      return current ? `Moved by hand to ${placeText(current, names, zone)}` : 'Moved by hand';
    case ProposedSince.CANCELLED:
      return 'Cancelled since';
    case ProposedSince.BEGUN:
      return 'Begun or over';
    case ProposedSince.NOT_WAITING:
      return 'No longer on the waitlist';
    default:
      return '';
  }
}

/** "Ben Carter is booked for today, 11:30 with Noah Adeyemi.", "3 visits changed: Ben Carter, Mia Wong and Walk-in." */
export function appliedText(visits: readonly Appointment[], zone: string): string {
  const [only] = visits;
  if (visits.length === 1 && only) {
    return `${customerOf(only)} is booked for ${inSentence(whenAndWho(only, zone))}.`;
  }
  return `${visits.length} visits changed: ${LIST.format(visits.map(customerOf))}.`;
}

/** What an undo of the same says. */
export function undoneText(visits: readonly Appointment[]): string {
  const [only] = visits;
  return visits.length === 1 && only
    ? `The visit of ${customerOf(only)} is as it was before.`
    : `${visits.length} visits are as they were before.`;
}

/** "Gains 35 min of work, about £40 at list prices." */
export function gainText({ gainedMinutes, gainedMinor, currency }: OptimisationCause): string {
  const money = gainedMinor > 0n ? moneyText(Number(gainedMinor), currency) : '';
  const minutes = `Gains ${minutesText(Math.max(0, Number(gainedMinutes)))} of work`;
  return money ? `${minutes}, about ${money} at list prices.` : `${minutes}.`;
}

/** "1 customer to call about another time.", of the lines that are still open. */
export function callsText(lines: readonly ProposalLine[]): string {
  const open = lines.filter(isApplicable);
  const moved = open.filter(({ change }) => change === ProposedChange.MOVE).length;
  const booked = open.filter(({ change }) => change === ProposedChange.BOOKING).length;
  const parts = [
    moved > 0 && `${customersText(moved)} to call about another time`,
    booked > 0 && `${customersText(booked)} of the waitlist to call about a booking`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? `${LIST.format(parts)}.` : 'No customer is left to call.';
}

/** "1 customer", "5 customers". */
export const customersText = (count: number): string => (count === 1 ? '1 customer' : `${count} customers`);

export const whoOf = (line: ProposalLine): string => line.customerName || 'Walk-in';

import {
  type Proposal,
  type ProposalLine,
  ProposedChange,
  type ProposedPlace,
} from '../gen/frontdesk/scheduling/v1/proposal_pb';
import { moment, timeSpan } from '../time/zoned';

export type Names = ReadonlyMap<string, string>;

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
        shiftMinutes === 0 ? '' : `${Math.abs(shiftMinutes)} min ${shiftMinutes > 0 ? 'later' : 'earlier'}`;
      return (
        [shift, employeesChanged > 0 ? 'with another employee' : ''].filter(Boolean).join(', ') || 'Moves'
      );
    }
  }
}

/** Lines that can be applied: not applied yet, and with a new place. */
export const isApplicable = (line: ProposalLine): boolean =>
  !line.isApplied && line.change !== ProposedChange.UNPLACED;

export const whoOf = (line: ProposalLine): string => line.customerName || 'Walk-in';

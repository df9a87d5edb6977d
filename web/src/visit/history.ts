import { stateName } from '../appointments/state';
import type { GetAppointmentResponse } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { inSentence } from '../time/in-sentence';
import { dayName, moment, timeOfDay } from '../time/zoned';
import { differenceText } from './difference-text';

/** Something that was done with a visit. */
export type Entry = { at: Date; by: string; text: string };

type Answer = Pick<GetAppointmentResponse, 'stateChanges' | 'placesLeft' | 'edits'>;

/** What was done with a visit, the latest first: its states, from where it was moved, and what was changed of it. */
export function historyOf({ stateChanges, placesLeft, edits }: Answer, zone: string, now: Date): Entry[] {
  const states = stateChanges.map(({ state, enteredAt, enteredBy }) => ({
    at: moment(enteredAt) ?? new Date(0),
    by: enteredBy,
    text: stateName(state),
  }));
  const moves = placesLeft.map(({ startsAt, employeeNames, leftAt, leftBy }) => {
    const start = moment(startsAt);
    const names = new Intl.ListFormat('en-GB').format([...new Set(employeeNames.filter(Boolean))]);
    const when = start ? `${dayName(start, zone, now)}, ${timeOfDay(start, zone)}` : '';
    return {
      at: moment(leftAt) ?? new Date(0),
      by: leftBy,
      text: `Changed from ${inSentence(when)}${names && ` with ${names}`}`,
    };
  });
  const changes = edits.flatMap(({ editedAt, editedBy, differences }) =>
    differences.map((difference) => ({
      at: moment(editedAt) ?? new Date(0),
      by: editedBy,
      text: differenceText(difference),
    })),
  );
  // Of one instant, what was entered last comes first.
  return [...states, ...moves, ...changes]
    .map((entry, index) => ({ entry, index }))
    .sort((one, other) => other.entry.at.getTime() - one.entry.at.getTime() || other.index - one.index)
    .map(({ entry }) => entry);
}

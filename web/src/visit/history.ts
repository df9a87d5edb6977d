import { stateName } from '../appointments/state';
import type { GetAppointmentResponse } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { inSentence } from '../time/in-sentence';
import { dayName, moment, timeOfDay } from '../time/zoned';

/** Something that was done with a visit. */
export type Entry = { at: Date; by: string; text: string };

type Answer = Pick<GetAppointmentResponse, 'stateChanges' | 'placesLeft'>;

/** What was done with a visit, the latest first: who brought it to its states, and from where it was moved. */
export function historyOf({ stateChanges, placesLeft }: Answer, zone: string, now: Date): Entry[] {
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
  // Of one instant, what was entered last comes first.
  return [...states, ...moves]
    .map((entry, index) => ({ entry, index }))
    .sort((one, other) => other.entry.at.getTime() - one.entry.at.getTime() || other.index - one.index)
    .map(({ entry }) => entry);
}

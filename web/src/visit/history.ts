import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { stateName } from '../appointments/state';
import { movedText, type Place } from '../day/moved-text';
import type { GetAppointmentResponse } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { moment } from '../time/zoned';
import { differenceText } from './difference-text';

/** Something that was done with a visit. */
export type Entry = { at: Date; by: string; text: string };

type Answer = Pick<GetAppointmentResponse, 'appointment' | 'stateChanges' | 'placesLeft' | 'edits'>;

/** What was done with a visit, the latest first: its states, its moves, and what was changed of it. */
export function historyOf(
  { appointment, stateChanges, placesLeft, edits }: Answer,
  zone: string,
  now: Date,
): Entry[] {
  const states = stateChanges.map(({ state, enteredAt, enteredBy }) => ({
    at: moment(enteredAt) ?? new Date(0),
    by: enteredBy,
    text: stateName(state),
  }));
  const present =
    appointment &&
    placeAt(
      appointment,
      appointment.items.map(({ employeeName }) => employeeName),
    );
  // From each place to the one that was left next, and from the last one to where the visit is.
  const places = [...placesLeft.map((left) => placeAt(left, left.employeeNames)), present];
  const moves = placesLeft.map(({ leftAt, leftBy }, index) => {
    const [from, to] = [places[index], places[index + 1]];
    return {
      at: moment(leftAt) ?? new Date(0),
      by: leftBy,
      text: from ? movedText(from, to, zone, now) : 'Moved',
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

function placeAt(
  { startsAt, endsAt }: { startsAt?: Timestamp; endsAt?: Timestamp },
  names: readonly string[],
): Place | undefined {
  const start = moment(startsAt);
  return start ? { startsAt: start, endsAt: moment(endsAt), names } : undefined;
}

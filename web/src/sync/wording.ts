import { actorName } from '../business/actor-name';
import { SyncState, SyncStep } from '../gen/frontdesk/calendarsync/v1/appointment_sync_pb';
import { CalendarKind } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import {
  type Difference,
  DifferenceKind,
  type SideEvent,
} from '../gen/frontdesk/calendarsync/v1/consistency_pb';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';
import type { Tone } from '../ui/badge';

/** What kind of calendar it is. */
export function kindText(kind: CalendarKind): string {
  switch (kind) {
    case CalendarKind.DEMO:
      return 'demo calendar';
    case CalendarKind.CALDAV:
      return 'CalDAV';
    case CalendarKind.GOOGLE:
      return 'Google Calendar';
    case CalendarKind.PROVIDER:
      return 'booking system';
    case CalendarKind.ICS:
      return 'published calendar';
    default:
      return 'calendar';
  }
}

/** How an event is on one side, in words and colour. */
export function stateText(state: SyncState): { label: string; tone: Tone } {
  switch (state) {
    case SyncState.WRITTEN:
      return { label: 'Written', tone: 'good' };
    case SyncState.WAITING:
      return { label: 'Being written', tone: 'info' };
    case SyncState.RETRYING:
      return { label: 'Failed, tried again', tone: 'warn' };
    case SyncState.PARKED:
      return { label: 'Refused', tone: 'bad' };
    default:
      return { label: 'Taken out', tone: 'quiet' };
  }
}

/** What happened to an event. */
export function stepText(step: SyncStep): string {
  switch (step) {
    case SyncStep.PLANNED:
      return 'Changed in the book';
    case SyncStep.WRITTEN:
      return 'Written';
    case SyncStep.FAILED:
      return 'Could not be written';
    case SyncStep.PARKED:
      return 'Refused';
    case SyncStep.RETRIED:
      return 'Tried again by hand';
    case SyncStep.REMOVED:
      return 'Taken out';
    case SyncStep.REPAIRED:
      return 'Repaired by hand';
    default:
      return 'Changed';
  }
}

const TIMES = ['starts_at', 'ends_at'];
const FIELDS: Readonly<Record<string, string>> = {
  title: 'another title',
  starts_at: 'another start',
  ends_at: 'another end',
};

/** How a side differs from the book, as shortly as it can be said. */
export function differenceText({ kind, fields }: Pick<Difference, 'kind' | 'fields'>): string {
  switch (kind) {
    case DifferenceKind.MISSING:
      return 'Missing there';
    case DifferenceKind.EXTRA:
      return 'Only there';
    default: {
      // A visit that was moved has both.
      const moved = TIMES.every((time) => fields.includes(time));
      const others = moved ? fields.filter((field) => !TIMES.includes(field)) : fields;
      const said = [...(moved ? ['another time'] : []), ...others.map((field) => FIELDS[field] ?? field)];
      return `Has ${new Intl.ListFormat('en-GB').format(said)}`;
    }
  }
}

/** What repairing it does. */
export function repairText({ kind }: Pick<Difference, 'kind'>): string {
  return kind === DifferenceKind.EXTRA ? 'Take it out' : 'Write it again';
}

/** What repairing all of them does: "12 events are written again. 2 events that are not in the book are taken out." */
export function repairAllText(differences: readonly Pick<Difference, 'kind'>[]): string {
  const out = differences.filter(({ kind }) => kind === DifferenceKind.EXTRA).length;
  const again = differences.length - out;
  return [
    again > 0 &&
      `${again === 1 ? '1 event is' : `${again} events are`} written again as the book has ${again === 1 ? 'it' : 'them'}.`,
    out > 0 &&
      `${out === 1 ? '1 event that is not in the book is' : `${out} events that are not in the book are`} taken out of the calendars.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** How repairing many ended, with why the first of those that failed did. */
export function repairedText(repaired: number, failed: number, reason: string | undefined): string {
  const done = `${repaired === 1 ? '1 difference is' : `${repaired} differences are`} being repaired.`;
  return failed === 0 ? done : `${done} ${failed} could not be repaired: ${reason}`;
}

/** How many differences a check tells of one by one. */
const MOST_KEPT = 500;

/** How many differences are left: repaired ones are no longer listed, but may still be in the count of the check. */
export const differencesLeft = ({ differenceCount }: { differenceCount: number }, listed: number): number =>
  differenceCount < MOST_KEPT ? listed : differenceCount;

type Person = Pick<Employee, 'name' | 'userId'>;

/** Who may have changed the book, and the account of the viewer. */
export type People = { employees: readonly Person[]; members: readonly Person[]; me: string };

/** What was last done to an event there, and by whom: "Changed", " by Mia Larsen"; empty where that is not known. */
export function changedText({ changedBy }: Pick<SideEvent, 'changedBy'>): { what: string; who: string } {
  return { what: 'Changed', who: changedBy && ` by ${changedBy}` };
}

/**
 * The same of an event in the book. Where no one is known it may not have changed: its calendar was connected, or it was
 * repaired, and is meant to be there since.
 */
export function plannedText(
  { actor }: Pick<SideEvent, 'actor'>,
  { employees, members, me }: People,
): { what: string; who: string } {
  const name = actorName(actor, [...employees, ...members], me);
  if (!name) return { what: 'Meant to be there since', who: '' };
  const unnamed = ['You', 'A team member', 'The phone agent'].includes(name);
  const who = unnamed ? name.replace(/^./, (letter) => letter.toLowerCase()) : name;
  return { what: 'Changed', who: ` by ${who}` };
}

/** What a check found that is not in step. */
export function troubleText(differences: number, unread: number, writing: number): string {
  const said = [
    differences > 0 && (differences === 1 ? '1 difference' : `${differences} differences`),
    unread > 0 &&
      (unread === 1 ? '1 calendar that could not be read' : `${unread} calendars that could not be read`),
  ].filter(Boolean);
  const underWay =
    writing === 0
      ? ''
      : writing >= differences
        ? ' All that differs is being written already.'
        : ` ${writing} of them ${writing === 1 ? 'is' : 'are'} being written already.`;
  return `Not in step: ${said.join(', ')}.${underWay}`;
}

/** How many differences the check found that were being written already. */
export function writtenText(count: number, beside: boolean): string {
  const more = beside ? ' more' : '';
  return count === 1
    ? `One${more} was being written when it was checked.`
    : `${count}${more} were being written when it was checked.`;
}

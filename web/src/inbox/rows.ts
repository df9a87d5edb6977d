import { hasUnread, isOutOfStep, isStuck } from '../calendars/state';
import type {
  Calendar,
  EndingCalendar,
  UnwrittenAppointment,
} from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import type { Conflict } from '../gen/frontdesk/scheduling/v1/conflict_pb';
import type { Proposal } from '../gen/frontdesk/scheduling/v1/proposal_pb';
import type { StrandedAppointment } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import type { TimeOff } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import type { WaitingCustomer } from '../gen/frontdesk/scheduling/v1/waitlist_pb';
import type { AgentPublication } from '../gen/frontdesk/tenancy/v1/agent_publication_pb';
import type { Erasure } from '../gen/frontdesk/tenancy/v1/erasure_pb';
import type { FollowUp } from '../gen/frontdesk/tenancy/v1/follow_up_pb';
import type { Unmapped } from '../providers/unmapped';

/** What the lists of the inbox have brought so far. */
export type Read = {
  stranded: readonly StrandedAppointment[];
  conflicts: readonly Conflict[];
  followUps: readonly FollowUp[];
  proposals: readonly Proposal[];
  timeOff: readonly TimeOff[];
  waiting: readonly WaitingCustomer[];
  calendars: readonly Calendar[];
  /** Those that are being disconnected, and that the viewer may settle. */
  ending: readonly EndingCalendar[];
  /** Booking systems with people who are mapped to no one. */
  unmapped: readonly Unmapped[];
  lines: readonly AgentPublication[];
  erasures: readonly Erasure[];
};

/** A visit that a calendar has not taken. */
export type Unwritten = { id: string; calendar: Calendar; visit: UnwrittenAppointment };

/** The rows of the inbox, by part. What is shown, counted and called empty is this and nothing else. */
export function rowsOf(read: Read) {
  return {
    stranded: read.stranded.map((stranded) => ({ id: stranded.appointmentId, stranded })),
    conflicts: [...read.conflicts],
    followUps: [...read.followUps],
    proposals: read.proposals.filter(isToDecide),
    timeOff: [...read.timeOff],
    waiting: read.waiting
      .filter(({ offer }) => offer)
      .map((waiting) => ({ id: waiting.entry?.id ?? '', waiting })),
    stopped: read.calendars.filter(isOutOfStep),
    ending: read.ending.filter(isStuck),
    unwritten: read.calendars.flatMap(unwrittenOf),
    unread: read.calendars.filter(hasUnread),
    unmapped: [...read.unmapped],
    lines: read.lines
      .filter(({ needsOwner }) => needsOwner)
      .map((publication) => ({ id: publication.voiceConnectionId, publication })),
    erasures: read.erasures
      .filter(({ late }) => late)
      .map((erasure) => ({ id: erasure.customerId, erasure })),
  };
}

/** Of a calendar that can't be reached at all, its own row says that; what it refused needs a person still. */
const unwrittenOf = (calendar: Calendar): Unwritten[] =>
  calendar.unwritten
    .filter(({ isRefused }) => isRefused || !isOutOfStep(calendar))
    .map((visit) => ({ id: `${calendar.id} ${visit.appointmentId}`, calendar, visit }));

export type Rows = ReturnType<typeof rowsOf>;

/** What a part of the inbox counts. */
const UNITS: Record<keyof Rows, [one: string, several: string]> = {
  stranded: ['customer', 'customers'],
  conflicts: ['conflict', 'conflicts'],
  followUps: ['message', 'messages'],
  proposals: ['proposal', 'proposals'],
  timeOff: ['request', 'requests'],
  waiting: ['waiting customer', 'waiting customers'],
  stopped: ['calendar', 'calendars'],
  ending: ['calendar', 'calendars'],
  unwritten: ['visit', 'visits'],
  unread: ['calendar', 'calendars'],
  unmapped: ['booking system', 'booking systems'],
  lines: ['line', 'lines'],
  erasures: ['erasure', 'erasures'],
};

/** "1 customer", "at least 200 customers" where there may be more. */
export function unitText(part: keyof Rows, count: number, more: boolean): string {
  const [one, several] = UNITS[part];
  return `${more ? 'At least ' : ''}${count} ${count === 1 ? one : several}`;
}

export const countOf = (rows: Rows): number =>
  Object.values(rows).reduce((count, part) => count + part.length, 0);

/** Visits of an absent employee are rows of their own: a proposal that can't place any adds nothing to them. */
function isToDecide({ cause, openLineCount, applicableLineCount }: Proposal): boolean {
  return cause.case === 'absence' ? applicableLineCount > 0 : openLineCount > 0;
}

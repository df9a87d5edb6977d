import {
  type Calendar,
  type EventShortfall,
  ShortfallReason,
} from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { agoText } from '../time/ago';
import { dateText, moment } from '../time/zoned';

/** "read 5 minutes ago". */
export function readText({ syncedAt }: Calendar, now: Date): string {
  const read = moment(syncedAt);
  return read ? `read ${agoText(read < now ? read : now, now)}` : 'not read yet';
}

/** "Work of Sofia"; a calendar that is called after its employee is named once. */
export const calendarOf = (calendar: string, name: string): string =>
  name === '' || calendar.includes(name) ? calendar : `${calendar} of ${name}`;

/** Why a calendar at Google is neither read nor written, and whose turn it is. */
export const authorizationText = ({ ownAccount }: Calendar, name: string): string =>
  ownAccount
    ? `Google no longer lets Frontdesk use this calendar of ${name}: it is neither read nor written.`
    : `Google no longer lets Frontdesk use this calendar of ${name}: the person who connected it has to allow it again.`;

/** "Appointments are not written to Work of Sofia, which is only read."; empty if none is, or while a name is missing. */
export function readOnlyText(calendars: readonly Calendar[], names: ReadonlyMap<string, string>): string {
  const readOnly = calendars.filter(({ isReadOnly }) => isReadOnly);
  if (readOnly.length === 0 || !readOnly.every(({ employeeId }) => names.has(employeeId))) return '';
  const named = readOnly.map(({ name, employeeId }) => `${name} of ${names.get(employeeId)}`);
  const list = new Intl.ListFormat('en-GB').format(named);
  return `Appointments are not written to ${list}, which ${readOnly.length === 1 ? 'is' : 'are'} only read.`;
}

/** When an event is whose time is not held as a whole, and what that means for the salon. */
export function shortfallText(
  { startsAt, endsAt, reason, heldUntil, fault }: EventShortfall,
  zone: string,
): string {
  const [from, to] = [dateOf(startsAt, zone), dateOf(endsAt, zone)];
  const event = from === to ? `The event on ${from}` : `The event from ${from} to ${to}`;
  switch (reason) {
    case ShortfallReason.TOO_LONG:
      return `${event} is longer than a year. Its time is kept free until ${dateOf(heldUntil, zone)} for now, and further as time goes by.`;
    case ShortfallReason.OUT_OF_RANGE:
      return `${event} lies outside the years 2000 to 2199. Nothing is booked there.`;
    default:
      return `${event} can’t be read${fault && `: ${fault}`}. Its time is not kept free here.`;
  }
}

/** What can't be read at all, with its reason; empty when everything can be. */
export function unreadText({ unread, unreadCount }: Calendar): string {
  const [first] = unread;
  if (!first) return '';
  const others = unreadCount - 1;
  const more = others === 0 ? '' : others === 1 ? ' So is one more.' : ` So are ${others} more.`;
  return `One entry is left out: it ${first.reason}.${more}`;
}

/** How many more there are than the ones that are told of; empty when there are none. */
export function othersText({ shortfallCount, shortfalls }: Calendar): string {
  const others = shortfallCount - shortfalls.length;
  if (others <= 0) return '';
  return others === 1 ? 'One more event is affected.' : `${others} more events are affected.`;
}

const dateOf = (at: EventShortfall['startsAt'], zone: string): string => {
  const date = moment(at);
  return date ? dateText(date, zone) : 'an unknown day';
};

/** Whether its employee has another calendar as well. */
export const isOneOfSeveral = (
  { id, employeeId }: Pick<Calendar, 'id' | 'employeeId'>,
  calendars: readonly Pick<Calendar, 'id' | 'employeeId'>[],
): boolean => calendars.some((other) => other.employeeId === employeeId && other.id !== id);

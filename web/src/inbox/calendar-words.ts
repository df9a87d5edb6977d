import { type Calendar, CalendarKind } from '../gen/frontdesk/calendarsync/v1/calendar_pb';

/** "The calendar of Sofia is not up to date"; what is in a booking system is known by that system's name. */
export const outOfStepTitle = (
  { kind, name: system }: Pick<Calendar, 'kind' | 'name'>,
  name: string,
): string =>
  kind === CalendarKind.PROVIDER
    ? `The appointments of ${name} in ${system || 'the booking system'} are not up to date`
    : `The calendar of ${name} is not up to date`;

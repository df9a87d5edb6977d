import {
  type Calendar,
  CalendarKind,
  type UnwrittenAppointment,
} from '../gen/frontdesk/calendarsync/v1/calendar_pb';

/** "in the calendar of Noah", "in the booking system for Noah". */
export const placeText = ({ kind }: Pick<Calendar, 'kind'>, name: string): string =>
  kind === CalendarKind.PROVIDER ? `in the booking system for ${name}` : `in the calendar of ${name}`;

/** Whether a person has to do something about a visit that was not written. */
export const whatNextText = ({ isRefused }: Pick<UnwrittenAppointment, 'isRefused'>): string =>
  isRefused
    ? 'It was refused, so it is not tried again by itself: put the reason right, then try again.'
    : 'It is tried again by itself, more seldom the longer it lasts.';

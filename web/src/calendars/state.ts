import {
  type Calendar,
  type EndingCalendar,
  ShortfallReason,
} from '../gen/frontdesk/calendarsync/v1/calendar_pb';

/** Whether it can't be read. */
export const isOutOfStep = ({ lastError, authorizationRequired }: Calendar): boolean =>
  lastError !== '' || authorizationRequired;

/** Whether an appointment is not in it as it should be. */
export const isUnwritten = ({ unwrittenCount }: Calendar): boolean => unwrittenCount > 0;

/** Whether it has an unreadable event, which only its owner can fix. */
export const hasUnread = ({ shortfalls, unreadCount }: Calendar): boolean =>
  unreadCount > 0 || shortfalls.some(({ reason }) => reason === ShortfallReason.REFUSED);

/** Whether taking appointments out fails just now. */
export const isStuck = ({
  cleanup,
  authorizationRequired,
}: Pick<EndingCalendar, 'cleanup' | 'authorizationRequired'>): boolean =>
  authorizationRequired || (cleanup !== undefined && cleanup.fault !== '');

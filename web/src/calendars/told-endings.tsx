import { useEffect, useRef } from 'react';
import { useEmployeeNames } from '../business/use-employees';
import type { EndingCalendar, ListCalendarsResponse } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { toasts } from '../ui/toasts';
import { calendarOf } from './wording';

type ToldEndingsProps = { businessId: string } & Pick<ListCalendarsResponse, 'calendars' | 'ending'>;

/** Says of each calendar that appointments were taken out of when it is disconnected. */
export function ToldEndings({ businessId, calendars, ending }: ToldEndingsProps) {
  const before = useRef<readonly EndingCalendar[]>([]);
  const names = useEmployeeNames(
    businessId,
    ending.map(({ employeeId }) => employeeId),
  );
  useEffect(() => {
    const known = new Set([...ending, ...calendars].map(({ id }) => id));
    const ended = before.current.filter(({ id }) => !known.has(id));
    before.current = ending;
    if (ended.length === 0) return;
    const named = ended.map(({ name, employeeId }) => calendarOf(name, names.get(employeeId) ?? ''));
    toasts.show(
      'good',
      `${new Intl.ListFormat('en-GB').format(named)} ${named.length === 1 ? 'is' : 'are'} disconnected.`,
    );
  }, [ending, calendars, names]);
  return null;
}

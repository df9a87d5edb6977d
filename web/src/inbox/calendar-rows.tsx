import { Flex, Stack } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../api/action';
import { useEmployeeNames } from '../business/use-employees';
import { calendarsQuery } from '../calendars/queries';
import { authorizationText, othersText, readText, shortfallText, unreadText } from '../calendars/wording';
import { DueAndOwner } from '../follow-ups/due-and-owner';
import { CalendarAccess } from '../gen/access';
import { type Calendar, CalendarService } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { asSentence, messageOf } from '../http/errors';
import { Avatar } from '../ui/avatar';
import { Button } from '../ui/button';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { CalendarCure } from './calendar-cure';
import { outOfStepTitle } from './calendar-words';
import { calendarDue, ownerOf } from './due';
import { RowFrame } from './row-frame';

type CalendarRowProps = {
  businessId: string;
  calendar: Calendar;
  zone: string;
  role: string;
  now: Date;
  /** It is being read again. */
  onRetried: () => void;
};

/** A calendar that can't be read: since when, why, what that means, and where that is put right. */
export function CalendarRow({ businessId, calendar, zone, role, now, onRetried }: CalendarRowProps) {
  const queries = useQueryClient();
  const { act, running } = useAction(CalendarService.method.retryCalendar, {
    onDone: () => {
      void queries.invalidateQueries({ queryKey: calendarsQuery(businessId).queryKey });
      onRetried();
      toasts.show('good', `The calendar of ${name} is being read again.`);
    },
    onRefused: (error) => toasts.show('bad', messageOf(error, 'It could not be tried again.')),
  });
  const name = useNameOf(businessId, calendar);
  return (
    <RowFrame>
      <Avatar name={name} size="40px" />
      <Stack gap="0" flex="1 1 16rem" minWidth="0">
        <Text fontWeight="600">{outOfStepTitle(calendar, name)}</Text>
        <Muted>
          <span>
            {calendar.authorizationRequired
              ? authorizationText(calendar, name)
              : asSentence(calendar.lastError)}
          </span>{' '}
          {asSentence(readText(calendar, now))}
        </Muted>
        <Muted>
          {calendar.authorizationRequired
            ? 'Once access is allowed, it goes on where it stopped.'
            : 'It is tried again by itself, more seldom the longer it lasts.'}{' '}
          Until then, what is new in “{calendar.name || 'this calendar'}” does not keep time free here.
        </Muted>
        <Flex columnGap="3" rowGap="1" wrap="wrap" align="center">
          <DueAndOwner due={calendarDue(calendar, zone, now)} owner={ownerOf(CalendarAccess.retryCalendar)} />
          <CalendarCure businessId={businessId} calendar={calendar} name={name} role={role} />
        </Flex>
      </Stack>
      {!calendar.authorizationRequired && (
        <Button loading={running} onClick={() => act({ businessId, calendarId: calendar.id })}>
          Try again
          <ScreenReaderOnly> to read the calendar of {name}</ScreenReaderOnly>
        </Button>
      )}
    </RowFrame>
  );
}

type UnreadEventsRowProps = { businessId: string; calendar: Calendar; zone: string };

/** Events that can't be read: when they are, why, and what to do about them. */
export function UnreadEventsRow({ businessId, calendar, zone }: UnreadEventsRowProps) {
  const name = useNameOf(businessId, calendar);
  const events = calendar.shortfalls.map((shortfall) => shortfallText(shortfall, zone));
  const told = [...events, othersText(calendar), unreadText(calendar)].filter(Boolean);
  return (
    <RowFrame>
      <Avatar name={name} size="40px" />
      <Stack gap="0" flex="1 1 16rem" minWidth="0">
        <Text fontWeight="600">Not all of the calendar of {name} can be read</Text>
        <Muted whiteSpace="pre-line">{told.join('\n')}</Muted>
        <Muted>
          Change it in “{calendar.name || 'the calendar'}”, or block its time in the schedule. All other
          events are read.
        </Muted>
      </Stack>
    </RowFrame>
  );
}

function useNameOf(businessId: string, { employeeId }: Calendar): string {
  return useEmployeeNames(businessId, [employeeId]).get(employeeId) ?? 'An employee';
}

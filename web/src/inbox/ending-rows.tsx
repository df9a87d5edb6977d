import { Flex, Stack } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { Unplug } from 'lucide-react';
import { useAction } from '../api/action';
import { useEmployeeNames } from '../business/use-employees';
import { barredText, stuckText } from '../calendars/cleanup';
import { calendarsQuery } from '../calendars/queries';
import { calendarOf } from '../calendars/wording';
import { DueAndOwner } from '../follow-ups/due-and-owner';
import { CalendarAccess } from '../gen/access';
import {
  CalendarKind,
  CalendarService,
  type EndingCalendar,
} from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { messageOf } from '../http/errors';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { ownerOf } from './due';
import { RowFrame } from './row-frame';

type EndingCalendarRowProps = {
  businessId: string;
  calendar: EndingCalendar;
  /** It is being tried again. */
  onRetried: () => void;
};

/** A calendar or a booking system that appointments can't be taken out of: why, what that means, and where it is settled. */
export function EndingCalendarRow({ businessId, calendar, onRetried }: EndingCalendarRowProps) {
  const queries = useQueryClient();
  const { id, employeeId, cleanup, authorizationRequired, ownAccount, kind } = calendar;
  const name = useEmployeeNames(businessId, [employeeId]).get(employeeId) ?? 'An employee';
  const what = calendarOf(calendar.name, name);
  const { act, running } = useAction(CalendarService.method.disconnectCalendar, {
    onDone: () => {
      void queries.invalidateQueries({ queryKey: calendarsQuery(businessId).queryKey });
      onRetried();
      toasts.show('good', `Appointments are being taken out of ${what} again.`);
    },
    onRefused: (error) => toasts.show('bad', messageOf(error, 'It could not be tried again.')),
  });
  if (!cleanup) return null;
  const ofProvider = kind === CalendarKind.PROVIDER;
  return (
    <RowFrame>
      <Flex flexShrink="0" width="40px" justify="center" color="fg.muted">
        <Unplug size={22} aria-hidden />
      </Flex>
      <Stack gap="0" flex="1 1 16rem" minWidth="0">
        <Text fontWeight="600">{what} can’t be disconnected yet</Text>
        <Muted>{barredText(calendar) || stuckText(cleanup)}</Muted>
        <Muted>What is entered there keeps no time free here any more.</Muted>
        <Flex columnGap="3" rowGap="1" wrap="wrap" align="center">
          <DueAndOwner due={undefined} owner={ownerOf(CalendarAccess.disconnectCalendar)} />
          {authorizationRequired && ownAccount ? (
            <TextLink to={paths.onboardingFlow()}>Allow access again</TextLink>
          ) : (
            <TextLink
              to={ofProvider ? paths.providerSync(businessId) : paths.details(businessId, 'integrations')}
            >
              {ofProvider
                ? 'Ways to end this in the booking system’s mapping'
                : 'Ways to end this under Integrations'}
            </TextLink>
          )}
        </Flex>
      </Stack>
      {!authorizationRequired && (
        <Button loading={running} onClick={() => act({ businessId, calendarId: id, takeOut: true })}>
          Try again
          <ScreenReaderOnly> to take appointments out of {what}</ScreenReaderOnly>
        </Button>
      )}
    </RowFrame>
  );
}

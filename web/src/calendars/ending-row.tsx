import { Flex } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../api/action';
import { CalendarService, type EndingCalendar } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { messageOf } from '../http/errors';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { barredText } from './cleanup';
import { CleanupProgress } from './cleanup-progress';
import { calendarsQuery } from './queries';
import { isStuck } from './state';
import { calendarOf } from './wording';

type EndingRowProps = {
  businessId: string;
  calendar: EndingCalendar;
  /** Its employee. */
  name: string;
  /** Whether the viewer may disconnect it. */
  removable: boolean;
};

/** A calendar that is being disconnected: how far that is, and the ways out of it. */
export function EndingRow({ businessId, calendar, name, removable }: EndingRowProps) {
  const queries = useQueryClient();
  const what = calendarOf(calendar.name, name);
  const calendarId = calendar.id;
  const refresh = () => void queries.invalidateQueries({ queryKey: calendarsQuery(businessId).queryKey });
  const onRefused = (error: unknown) => {
    refresh();
    toasts.show('bad', messageOf(error, `${what} is as it was.`));
  };
  const keep = useAction(CalendarService.method.keepCalendar, {
    onDone: () => {
      refresh();
      toasts.show('good', `${what} stays connected. Its appointments are written again.`);
    },
    onRefused,
  });
  const end = useAction(CalendarService.method.disconnectCalendar, { onDone: refresh, onRefused });
  const busy = keep.running || end.running;
  const { cleanup } = calendar;
  if (!cleanup) return null;
  const ofThis = <ScreenReaderOnly> {what}</ScreenReaderOnly>;
  return (
    <Flex as="li" columnGap="3" rowGap="2" wrap="wrap" align="center" px={{ base: '4', sm: '6' }} py="3">
      <Text fontWeight="500" flex="1 1 auto" minWidth="0" truncate>
        {name}
        <Muted as="span" fontSize="0.875rem" fontWeight="400">
          {' '}
          · {calendar.name}
        </Muted>
      </Text>
      <Muted fontSize="0.875rem">
        {calendar.accessWithdrawn
          ? `Disconnecting: ${calendar.ownAccount ? 'you withdraw' : 'the person who connected it withdraws'} access to it`
          : 'Disconnecting'}
      </Muted>
      <CleanupProgress what={what} cleanup={cleanup} barred={barredText(calendar)} />
      {removable && (
        <Flex gap="2" wrap="wrap">
          {isStuck(calendar) && !calendar.authorizationRequired && (
            <Button
              loading={end.running}
              disabled={busy}
              onClick={() => end.act({ businessId, calendarId, takeOut: true })}
            >
              Try again
              <ScreenReaderOnly> to take appointments out of {what}</ScreenReaderOnly>
            </Button>
          )}
          {!calendar.accessWithdrawn && (
            <Button
              loading={keep.running}
              disabled={busy}
              onClick={() => keep.act({ businessId, calendarId })}
            >
              Keep connected
              {ofThis}
            </Button>
          )}
          <Button
            variant="quiet"
            disabled={busy}
            onClick={() => end.act({ businessId, calendarId, takeOut: false })}
          >
            Disconnect now and leave {cleanup.leftCount === 1 ? 'it' : 'them'}
            {ofThis}
          </Button>
        </Flex>
      )}
      {calendar.authorizationRequired && calendar.ownAccount && (
        <TextLink to={paths.onboardingFlow()}>Allow access again</TextLink>
      )}
    </Flex>
  );
}

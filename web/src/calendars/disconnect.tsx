import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { type Calendar, CalendarKind, CalendarService } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { CheckField } from '../ui/check-field';
import { ConfirmDialog } from '../ui/dialog';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { upcomingText } from './cleanup';
import { calendarsQuery } from './queries';
import { isOutOfStep } from './state';
import { calendarOf } from './wording';

type DisconnectProps = { businessId: string; calendar: Calendar; name: string };

/** Disconnects a calendar once that is confirmed, and takes appointments out of it first unless they are to stay. */
export function Disconnect({ businessId, calendar, name }: DisconnectProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        Disconnect
        <ScreenReaderOnly> {calendarOf(calendar.name, name)}</ScreenReaderOnly>
      </Button>
      {asking && (
        <DisconnectDialog
          businessId={businessId}
          calendar={calendar}
          name={name}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function DisconnectDialog({
  businessId,
  calendar,
  name,
  onClose,
}: DisconnectProps & { onClose: () => void }) {
  const queries = useQueryClient();
  const what = calendarOf(calendar.name, name);
  const { writtenCount, isReadOnly } = calendar;
  const isSystem = calendar.kind === CalendarKind.PROVIDER;
  // A booking system may write to customers whose visit is cancelled there.
  const [takesOut, setTakesOut] = useState(!isSystem);
  const takeOut = takesOut && writtenCount > 0;
  const { act, running } = useAction(CalendarService.method.disconnectCalendar, {
    onDone: () => {
      onClose();
      const { queryKey } = calendarsQuery(businessId);
      void queries.invalidateQueries({ queryKey }).then(() => {
        const left = queries.getQueryData(queryKey);
        // While appointments are taken out, the list says how far that is, and that it is done.
        const isListed = left && [...left.calendars, ...left.ending].some(({ id }) => id === calendar.id);
        if (!takeOut || !isListed) toasts.show('good', `${what} is disconnected.`);
      });
    },
    onRefused: (error) => {
      onClose();
      toasts.show('bad', messageOf(error, 'The calendar could not be disconnected.'));
    },
  });
  return (
    <ConfirmDialog
      title={`Disconnect ${what}?`}
      confirm="Disconnect"
      keep="Keep it connected"
      running={running}
      onConfirm={() => act({ businessId, calendarId: calendar.id, takeOut })}
      onClose={onClose}
    >
      <Text>What is entered there no longer keeps {name}’s time free here.</Text>
      {writtenCount > 0 && (
        <>
          <CheckField
            label={
              isSystem
                ? `Cancel there the ${upcomingText(writtenCount)} that Frontdesk wrote`
                : `Take out the ${upcomingText(writtenCount)} that Frontdesk wrote`
            }
            checked={takesOut}
            onChange={({ currentTarget }) => setTakesOut(currentTarget.checked)}
          />
          <Muted fontSize="0.875rem">
            {takenOutText({ takesOut, isSystem, isStuck: isOutOfStep(calendar) })}
          </Muted>
        </>
      )}
      {writtenCount === 0 && !isReadOnly && <Text>Past appointments stay there as its history.</Text>}
    </ConfirmDialog>
  );
}

function takenOutText(of: { takesOut: boolean; isSystem: boolean; isStuck: boolean }): string {
  if (!of.takesOut)
    return of.isSystem
      ? 'They stay there. It may write to customers whose visit is cancelled there.'
      : 'They stay there, with customers’ names, and no longer follow what is changed here.';
  const past = 'Past ones stay there as its history.';
  if (of.isStuck)
    return `${past} The calendar can’t be reached just now: this begins once it can, and you can disconnect without it at any time.`;
  return of.isSystem ? `${past} It may write to customers whose visit is cancelled there.` : past;
}

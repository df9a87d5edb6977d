import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { type Calendar, CalendarService } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/dialog';
import { ScreenReaderOnly, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { calendarsQuery } from './queries';

type DisconnectProps = { businessId: string; calendar: Calendar; name: string };

/** Disconnects a calendar once that is confirmed. */
export function Disconnect({ businessId, calendar, name }: DisconnectProps) {
  const [asking, setAsking] = useState(false);
  const queries = useQueryClient();
  const { act, running } = useAction(CalendarService.method.disconnectCalendar, {
    onDone: () => {
      setAsking(false);
      void queries.invalidateQueries({ queryKey: calendarsQuery(businessId).queryKey });
      toasts.show('good', `${calendar.name} of ${name} is disconnected.`);
    },
    onRefused: (error) => {
      setAsking(false);
      toasts.show('bad', messageOf(error, 'The calendar could not be disconnected.'));
    },
  });
  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        Disconnect
        <ScreenReaderOnly>
          {' '}
          {calendar.name} of {name}
        </ScreenReaderOnly>
      </Button>
      {asking && (
        <ConfirmDialog
          title={`Disconnect ${calendar.name} of ${name}?`}
          confirm="Disconnect"
          keep="Keep it connected"
          running={running}
          onConfirm={() => act({ businessId, calendarId: calendar.id })}
          onClose={() => setAsking(false)}
        >
          <Text>
            What is entered there no longer keeps {name}’s time free here.
            {!calendar.isReadOnly && ' Appointments that were written there stay.'}
          </Text>
        </ConfirmDialog>
      )}
    </>
  );
}

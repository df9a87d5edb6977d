import { useState } from 'react';
import { fetchedAhead } from '../api/fetched-ahead';
import type { Calendar } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { Button } from '../ui/button';
import { ScreenReaderOnly } from '../ui/text';

const ChangePasswordDialog = fetchedAhead(() =>
  import('./change-password-dialog').then(({ ChangePasswordDialog }) => ChangePasswordDialog),
);

type ChangePasswordProps = { businessId: string; calendar: Calendar; name: string };

/** Opens the dialog that replaces a calendar's password. */
export function ChangePassword({ businessId, calendar, name }: ChangePasswordProps) {
  const [changing, setChanging] = useState(false);
  return (
    <>
      <Button variant="quiet" onClick={() => setChanging(true)}>
        Change password
        <ScreenReaderOnly>
          {' '}
          of {calendar.name} of {name}
        </ScreenReaderOnly>
      </Button>
      {changing && (
        <ChangePasswordDialog
          businessId={businessId}
          calendar={calendar}
          name={name}
          onClose={() => setChanging(false)}
        />
      )}
    </>
  );
}

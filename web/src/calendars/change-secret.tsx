import { useState } from 'react';
import { fetchedAhead } from '../api/fetched-ahead';
import { type Calendar, CalendarKind } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { Button } from '../ui/button';
import { ScreenReaderOnly } from '../ui/text';

const ChangePasswordDialog = fetchedAhead(() =>
  import('./change-password-dialog').then(({ ChangePasswordDialog }) => ChangePasswordDialog),
);
const ChangeAddressDialog = fetchedAhead(() =>
  import('./change-address-dialog').then(({ ChangeAddressDialog }) => ChangeAddressDialog),
);

type ChangeSecretProps = { businessId: string; calendar: Calendar; name: string };

/** Opens the dialog that replaces what a calendar is read by; nothing for one that is read by consent. */
export function ChangeSecret({ businessId, calendar, name }: ChangeSecretProps) {
  const [changing, setChanging] = useState(false);
  const isPublished = calendar.kind === CalendarKind.ICS;
  if (!isPublished && calendar.kind !== CalendarKind.CALDAV) return null;
  const Dialog = isPublished ? ChangeAddressDialog : ChangePasswordDialog;
  return (
    <>
      <Button variant="quiet" onClick={() => setChanging(true)}>
        Change {isPublished ? 'address' : 'password'}
        <ScreenReaderOnly>
          {' '}
          of {calendar.name} of {name}
        </ScreenReaderOnly>
      </Button>
      {changing && (
        <Dialog businessId={businessId} calendar={calendar} name={name} onClose={() => setChanging(false)} />
      )}
    </>
  );
}

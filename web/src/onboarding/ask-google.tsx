import { Stack } from '@chakra-ui/react';
import { CircleAlert } from 'lucide-react';
import { useAction } from '../api/action';
import { CalendarKind } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { type Consent, ConsentService, ConsentState } from '../gen/frontdesk/calendarsync/v1/consent_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { Note, Refusal } from '../ui/states';
import { Muted } from '../ui/text';

/** Leads to Google, which asks for the consent, where it does not stand. */
export function AskGoogle({ consent }: { consent: Consent }) {
  const { act, running, error } = useAction(ConsentService.method.beginConsent, {
    onDone: ({ authorizationUrl }) => window.location.assign(authorizationUrl),
  });
  const ending = consent.cleanup !== undefined;
  const revoked = consent.state === ConsentState.REVOKED && !ending;
  return (
    <Stack gap="4">
      {revoked && (
        <Note tone="warn" icon={CircleAlert}>
          Google no longer lets Frontdesk use the calendars of {consent.account}. Allow access again with this
          account, and what is connected goes on where it stopped.
        </Note>
      )}
      <Refusal>{error && messageOf(error)}</Refusal>
      <Stack gap="2">
        <Button
          variant="contained"
          loading={running}
          onClick={() => act({ kind: CalendarKind.GOOGLE })}
          width="100%"
        >
          {revoked || ending ? 'Allow Google Calendar again' : 'Use Google Calendar'}
        </Button>
        <Muted fontSize="0.875rem" textAlign="center">
          {ending
            ? 'Access stays then. Calendars that are being disconnected can be kept in the salon, under Details, Integrations.'
            : 'Google asks you which account, and what Frontdesk may do there.'}
        </Muted>
      </Stack>
    </Stack>
  );
}

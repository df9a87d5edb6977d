import { Flex, Stack } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { CleanupProgress } from '../calendars/cleanup-progress';
import { CalendarKind, type Cleanup } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { type Consent, ConsentState } from '../gen/frontdesk/calendarsync/v1/consent_pb';
import { asSentence } from '../http/errors';
import { Button } from '../ui/button';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { useWithdraw } from './withdraw';

/** Access to an account at Google that is being withdrawn: how far that is, and the ways out of it. */
export function EndingConsent({ consent, cleanup }: { consent: Consent; cleanup: Cleanup }) {
  const { act, running } = useWithdraw({ onDone: () => undefined });
  const isRevoked = consent.state === ConsentState.REVOKED;
  const barred = barredText(consent, cleanup);
  return (
    <Stack gap="3">
      <Text>
        Access to {consent.account} is being withdrawn: appointments are taken out of its calendars first.
      </Text>
      <CleanupProgress what={`the calendars of ${consent.account}`} cleanup={cleanup} barred={barred} />
      <Flex gap="2" wrap="wrap">
        {cleanup.fault && !isRevoked && (
          <Button loading={running} onClick={() => act({ takeOut: true })}>
            Try again
          </Button>
        )}
        {cleanup.leftCount > 0 && (
          <Button variant="quiet" disabled={running} onClick={() => act({ takeOut: false })}>
            Withdraw now and leave {cleanup.leftCount === 1 ? 'it' : 'them'}
          </Button>
        )}
      </Flex>
    </Stack>
  );
}

/** Why it does not go on, where that is not an appointment. */
function barredText({ state }: Consent, { leftCount, fault }: Cleanup): string {
  if (leftCount === 0)
    return fault && `Google could not be told that access ends: ${asSentence(fault)} It is told again.`;
  return state === ConsentState.REVOKED
    ? 'Google no longer lets Frontdesk use these calendars: nothing can be taken out of them until you allow it again.'
    : '';
}

/** Says that access was withdrawn once nothing was left to take out. */
export function ToldWithdrawal({ consents }: { consents: readonly Consent[] }) {
  const before = useRef('');
  useEffect(() => {
    const google = consents.find(({ kind }) => kind === CalendarKind.GOOGLE);
    if (before.current && google?.state === ConsentState.NOT_GIVEN)
      toasts.show('good', `Frontdesk has no access to ${before.current} any more.`);
    before.current = google?.cleanup ? google.account : '';
  }, [consents]);
  return null;
}

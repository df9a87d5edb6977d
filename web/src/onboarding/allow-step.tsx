import { Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useNavigate } from 'react-router';
import { useAction } from '../api/action';
import { CalendarKind } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { type Consent, ConsentService } from '../gen/frontdesk/calendarsync/v1/consent_pb';
import { messageOf } from '../http/errors';
import { CardPage } from '../layout/card-page';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { isAdmin } from '../session/roles';
import type { User } from '../session/user';
import { Button } from '../ui/button';
import { RowsSkeleton } from '../ui/skeleton';
import { Note, Refusal } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { AskGoogle } from './ask-google';
import { EndingConsent, ToldWithdrawal } from './ending-consent';
import { consentsQuery } from './queries';
import { Steps } from './steps';
import { WayOn } from './way-on';

/** Leads to the consent; nothing is read before it is given. */
export function AllowStep({ user }: { user: User }) {
  const consents = useQuery(consentsQuery());
  return (
    <CardPage title="Allow access" lead="Frontdesk needs your permission before it can see your calendars.">
      <Steps at={1} />
      <Reading
        query={consents}
        what="What can be connected"
        skeleton={<RowsSkeleton rows={2} label="Loading what can be connected" />}
      >
        {({ consents }) => (
          <>
            <ToldWithdrawal consents={consents} />
            <Ask consents={consents} isAdmin={isAdmin(user.role)} />
          </>
        )}
      </Reading>
      <Muted fontSize="0.875rem" textAlign="center">
        Calendars at iCloud, Fastmail and other CalDAV servers are connected in the salon, under Details,
        Integrations. Microsoft 365 can’t be connected.
      </Muted>
      <WayOn user={user} />
    </CardPage>
  );
}

function Ask({ consents, isAdmin }: { consents: readonly Consent[]; isAdmin: boolean }) {
  const navigate = useNavigate();
  const { act, running, error } = useAction(ConsentService.method.beginConsent, {
    onDone: ({ state }) => void navigate(paths.onboardingConsent(state)),
  });
  const google = consents.find(({ kind }) => kind === CalendarKind.GOOGLE);
  const demo = consents.some(({ kind }) => kind === CalendarKind.DEMO);
  return (
    <Stack gap="4">
      {google?.cleanup && <EndingConsent consent={google} cleanup={google.cleanup} />}
      {google && <AskGoogle consent={google} />}
      {!google && isAdmin && (
        <Text>
          Google Calendar is not offered here: this installation has no client at Google. It is set up with
          GOOGLE_CALENDAR_CLIENT_ID and GOOGLE_CALENDAR_CLIENT_SECRET. Only administrators see this.
        </Text>
      )}
      {!google && !demo && !isAdmin && (
        <Text>
          No calendar account can be used here yet. An administrator of Frontdesk can set Google Calendar up.
        </Text>
      )}
      {demo && (
        <>
          <Note tone="info" icon={FlaskConical}>
            The demo calendar shows how it works, without an account elsewhere. Its consent is simulated.
          </Note>
          <Refusal>{error && messageOf(error)}</Refusal>
          <Button
            variant={google ? 'outline' : 'contained'}
            loading={running}
            onClick={() => act({ kind: CalendarKind.DEMO })}
            width="100%"
          >
            Use the demo calendar
          </Button>
        </>
      )}
      {(google || demo) && (
        <Muted fontSize="0.875rem" textAlign="center">
          You can withdraw your permission here at any time.
        </Muted>
      )}
    </Stack>
  );
}

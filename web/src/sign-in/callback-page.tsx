import { Stack } from '@chakra-ui/react';
import { CircleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { CardPage } from '../layout/card-page';
import { ButtonLink } from '../layout/links';
import { Onward } from '../layout/onward';
import { Waiting } from '../layout/waiting';
import { paths } from '../paths';
import { door, session } from '../session/current';
import { landingOf, wantedOr } from '../session/landing';
import { arrival } from '../session/provider/arrival';
import { providerAttempts, providerPlaces } from '../session/provider/current';
import { type Outcome, ProviderReturn } from '../session/provider/return';
import { Note } from '../ui/states';
import { toasts } from '../ui/toasts';
import { ConnectForm } from './connect-form';
import { GoogleButton } from './google-button';

const providerReturn = new ProviderReturn({
  arrival,
  attempts: providerAttempts,
  exchangeCode: (code, codeVerifier) => door.exchangeCode(code, codeVerifier, providerPlaces.callback),
  redeem: door.redeem,
  session,
  connect: async (code, codeVerifier, currentPassword) => {
    // The contract weighs more than this page.
    const { connectIdentity } = await import('./connect-identity');
    await connectIdentity({ code, codeVerifier, redirectUri: providerPlaces.callback, currentPassword });
  },
});

/** The page to which the provider, or the server, redirects back. */
export function Component() {
  const [outcome, setOutcome] = useState<Outcome>();
  useEffect(() => {
    let here = true;
    void providerReturn.outcome().then((came) => here && setOutcome(came));
    return () => {
      here = false;
    };
  }, []);
  switch (outcome?.kind) {
    case undefined:
      return <Waiting label="Authenticating" />;
    case 'signedIn':
      return <Onward to={landingOf(outcome.user, outcome.wanted)} label="Loading the page" />;
    case 'connected':
      return <Connected backTo={wantedOr(outcome.backTo, paths.myAccount)} />;
    case 'asksPassword':
      return (
        <ConnectForm
          connect={outcome.connect}
          backTo={wantedOr(outcome.backTo, paths.myAccount)}
          onDone={() => setOutcome({ kind: 'connected', backTo: outcome.backTo })}
        />
      );
    case 'failed':
      return outcome.purpose === 'connect' ? (
        <NotConnected outcome={outcome} />
      ) : (
        <NotSignedIn outcome={outcome} />
      );
  }
}

type Failed = { outcome: Extract<Outcome, { kind: 'failed' }> };

function Connected({ backTo }: { backTo: string }) {
  useEffect(() => toasts.show('good', 'Google is connected to your account.'), []);
  return <Onward to={backTo} label="Loading the page" />;
}

function NotSignedIn({ outcome: { message, lostMemory, wanted } }: Failed) {
  return (
    <CardPage title="Sign-in with Google failed">
      <Stack gap="5">
        <Reason message={message} />
        <GoogleButton wanted={wanted} throughDoor={lostMemory} />
        <ButtonLink to={paths.login} replace state={{ wanted }} variant="outline">
          Back to sign in
        </ButtonLink>
      </Stack>
    </CardPage>
  );
}

function NotConnected({ outcome: { message, wanted } }: Failed) {
  return (
    <CardPage title="Google was not connected">
      <Stack gap="5">
        <Reason message={message} />
        <ButtonLink to={wantedOr(wanted, paths.myAccount)} replace variant="outline">
          Back to your account
        </ButtonLink>
      </Stack>
    </CardPage>
  );
}

function Reason({ message }: { message: string }) {
  return (
    <div role="alert">
      <Note tone="bad" icon={CircleAlert}>
        {message}
      </Note>
    </div>
  );
}

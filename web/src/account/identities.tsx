import { useQuery } from '@tanstack/react-query';
import { KeyRound, Link2 } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import type { Identity } from '../gen/frontdesk/auth/v1/account_pb';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { provider } from '../session/provider/current';
import { startFailure } from '../sign-in/google-button';
import { dateText, moment, viewerZone } from '../time/zoned';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { toasts } from '../ui/toasts';
import { DisconnectDialog } from './disconnect-dialog';
import { Entries, Entry } from './entry';
import { useOffersGoogle } from './offers-google';
import { identitiesQuery } from './queries';

/** The Google accounts that sign this person in. */
export function Identities({ hasPassword }: { hasPassword: boolean }) {
  const query = useQuery(identitiesQuery());
  const offered = useOffersGoogle();
  return (
    <Card title="Sign-in with Google" action={offered && <ConnectButton />} flush>
      <Reading
        query={query}
        what="Your Google accounts"
        skeleton={<RowsSkeleton rows={1} label="Loading Google accounts" />}
      >
        {({ identities }) =>
          identities.length === 0 ? (
            <Empty icon={Link2} title="No Google account connected">
              {offered
                ? 'Connect one, and you can sign in without your password.'
                : 'This installation offers no sign-in with Google.'}
            </Empty>
          ) : (
            <Entries label="Google accounts">
              {identities.map((identity) => (
                <IdentityEntry
                  key={identity.id}
                  identity={identity}
                  hasPassword={hasPassword}
                  lastWay={!hasPassword && identities.length === 1}
                />
              ))}
            </Entries>
          )
        }
      </Reading>
    </Card>
  );
}

/** Redirects to Google; the callback page connects the account. */
function ConnectButton() {
  const loading = useSyncExternalStore(provider.subscribe, () => provider.loading);
  const connect = async () => {
    try {
      await provider.connect(paths.myAccount);
    } catch (error) {
      toasts.show('bad', startFailure(error));
    }
  };
  return (
    <Button loading={loading} onClick={() => void connect()}>
      Connect Google
    </Button>
  );
}

type IdentityEntryProps = {
  identity: Identity;
  hasPassword: boolean;
  /** Whether this is the account's last sign-in method. */
  lastWay: boolean;
};

function IdentityEntry({ identity, hasPassword, lastWay }: IdentityEntryProps) {
  const [asking, setAsking] = useState(false);
  const since = moment(identity.connectedAt);
  const details = [
    since && `Connected ${dateText(since, viewerZone())}`,
    lastWay && 'set a password before you disconnect it',
  ];
  return (
    <>
      <Entry
        icon={KeyRound}
        title={identity.email || 'Google account'}
        details={details}
        action={
          <Button
            disabled={lastWay}
            onClick={() => setAsking(true)}
            aria-label={`Disconnect ${identity.email}`}
          >
            Disconnect
          </Button>
        }
      />
      {asking && (
        <DisconnectDialog identity={identity} hasPassword={hasPassword} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { call } from '../api/call';
import { ConsentService } from '../gen/frontdesk/calendarsync/v1/consent_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { CardPage } from '../layout/card-page';
import { ButtonLink } from '../layout/links';
import { Waiting } from '../layout/waiting';
import { paths } from '../paths';
import { useSession } from '../session/use-session';
import type { User } from '../session/user';
import { Note } from '../ui/states';
import { consentsQuery, personCalendarsQuery } from './queries';
import { WayOn } from './way-on';

type Outcome = { kind: 'allowed' } | { kind: 'denied' } | { kind: 'failed'; message: string };

/** Where a provider's consent screen leads back to. */
export function Component() {
  const { user, loading, complete } = useSession();
  const [search] = useSearchParams();
  const state = search.get('state') ?? '';
  if (!user && (loading || !complete)) return <Waiting label="Authenticating" />;
  // Signed in again, the person begins again: the answer is of the session before.
  if (!user || !state) return <Navigate to={paths.onboardingFlow()} replace />;
  const code = search.get('error') === null ? (search.get('code') ?? '') : '';
  return <Finish user={user} state={state} code={code} />;
}

/** Without a code the person denied. */
function Finish({ user, state, code }: { user: User; state: string; code: string }) {
  const allowed = code !== '';
  const queries = useQueryClient();
  const [outcome, setOutcome] = useState<Outcome>();
  // The state counts once, and effects may run twice.
  const sent = useRef(false);
  useEffect(() => {
    if (sent.current) return;
    sent.current = true;
    call(ConsentService.method.finishConsent, { state, allowed, code }, { idempotencyKey: state })
      .then(async () => {
        void queries.invalidateQueries({ queryKey: consentsQuery().queryKey });
        await queries.invalidateQueries({ queryKey: personCalendarsQuery().queryKey });
        setOutcome({ kind: allowed ? 'allowed' : 'denied' });
      })
      .catch((error: unknown) => setOutcome({ kind: 'failed', message: failure(error) }));
  }, [state, allowed, code, queries]);
  switch (outcome?.kind) {
    case undefined:
      return <Waiting label="Taking your answer" />;
    case 'allowed':
      return <Navigate to={paths.onboardingFlow()} replace />;
    case 'denied':
      return (
        <CardPage title="Not connected" lead="You denied access. Nothing was read, and nothing is kept.">
          <Again user={user} />
        </CardPage>
      );
    case 'failed':
      return (
        <CardPage title="Not connected">
          <Note tone="bad" icon={CircleAlert} role="alert">
            {outcome.message}
          </Note>
          <Again user={user} />
        </CardPage>
      );
  }
}

function failure(error: unknown): string {
  const about = fieldErrorsOf(error);
  if (about.state) return 'This answer came too late, or was already given. Begin again.';
  if (about.code) return 'Google does not honour this answer. Begin again.';
  if (about.scope) {
    return 'Google let Frontdesk do only part of what it needs: to see which calendars you have, and to read and write their events. Begin again and tick both.';
  }
  return messageOf(error);
}

function Again({ user }: { user: User }) {
  return (
    <>
      <ButtonLink to={paths.onboardingFlow()} variant="contained">
        Begin again
      </ButtonLink>
      <WayOn user={user} />
    </>
  );
}

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
import { Note } from '../ui/states';
import { personCalendarsQuery } from './queries';

type Outcome = { kind: 'allowed' } | { kind: 'denied' } | { kind: 'failed'; message: string };

/** Where a provider's consent screen leads back to. */
export function Component() {
  const { user, loading, complete } = useSession();
  const [search] = useSearchParams();
  const state = search.get('state') ?? '';
  if (!user && (loading || !complete)) return <Waiting label="Authenticating" />;
  // Signed in again, the person begins again: the answer is of the session before.
  if (!user || !state) return <Navigate to={paths.onboardingFlow()} replace />;
  return <Finish state={state} allowed={search.has('code') && !search.has('error')} />;
}

function Finish({ state, allowed }: { state: string; allowed: boolean }) {
  const queries = useQueryClient();
  const [outcome, setOutcome] = useState<Outcome>();
  // The state counts once, and effects may run twice.
  const sent = useRef(false);
  useEffect(() => {
    if (sent.current) return;
    sent.current = true;
    call(ConsentService.method.finishConsent, { state, allowed }, { idempotencyKey: state })
      .then(async () => {
        await queries.invalidateQueries({ queryKey: personCalendarsQuery().queryKey });
        setOutcome({ kind: allowed ? 'allowed' : 'denied' });
      })
      .catch((error: unknown) => setOutcome({ kind: 'failed', message: failure(error) }));
  }, [state, allowed, queries]);
  switch (outcome?.kind) {
    case undefined:
      return <Waiting label="Taking your answer" />;
    case 'allowed':
      return <Navigate to={paths.onboardingFlow()} replace />;
    case 'denied':
      return (
        <CardPage title="Not connected" lead="You denied access. Nothing was read, and nothing is kept.">
          <Again />
        </CardPage>
      );
    case 'failed':
      return (
        <CardPage title="Not connected">
          <Note tone="bad" icon={CircleAlert} role="alert">
            {outcome.message}
          </Note>
          <Again />
        </CardPage>
      );
  }
}

const failure = (error: unknown): string =>
  fieldErrorsOf(error).state
    ? 'This answer came too late, or was already given. Begin again.'
    : messageOf(error);

function Again() {
  return (
    <ButtonLink to={paths.onboardingFlow()} variant="contained">
      Begin again
    </ButtonLink>
  );
}

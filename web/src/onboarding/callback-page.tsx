import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { call } from '../api/call';
import { ConsentService } from '../gen/frontdesk/calendarsync/v1/consent_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { CardPage } from '../layout/card-page';
import { ButtonLink } from '../layout/links';
import { Onward } from '../layout/onward';
import { Waiting } from '../layout/waiting';
import { paths } from '../paths';
import { useSession } from '../session/use-session';
import type { User } from '../session/user';
import { Note } from '../ui/states';
import { consentsQuery, personCalendarsQuery } from './queries';
import { WayOn } from './way-on';

type Answer = { state: string; code: string };
type Outcome = { kind: 'allowed' } | { kind: 'denied' } | { kind: 'failed'; message: string };

/** What the provider answers; without a code the person denied. */
function answerIn(search: URLSearchParams): Answer | undefined {
  const state = search.get('state') ?? '';
  const code = search.get('error') === null ? (search.get('code') ?? '') : '';
  return state ? { state, code } : undefined;
}

/** Where a provider's consent screen leads back to. */
export function Component() {
  const { user, loading, complete } = useSession();
  const [search, setSearch] = useSearchParams();
  const [answer] = useState(() => answerIn(search));
  const [outcome, setOutcome] = useState<Outcome>();
  const queries = useQueryClient();
  // The answer counts once, and effects may run twice.
  const sent = useRef(false);
  const signedIn = user !== null;
  useEffect(() => {
    if (!signedIn || !answer || sent.current) return;
    sent.current = true;
    // A reload must not spend it again, and no referrer may show it.
    setSearch({}, { replace: true });
    void finish(answer, queries).then(setOutcome);
  }, [signedIn, answer, queries, setSearch]);
  if (!user && (loading || !complete)) return <Waiting label="Authenticating" />;
  // Signed in again, the person begins again: the answer is of the session before.
  if (!user || !answer) return <Onward to={paths.onboardingFlow()} label="Loading your calendars" />;
  switch (outcome?.kind) {
    case undefined:
      return <Waiting label="Taking your answer" />;
    case 'allowed':
      return <Onward to={paths.onboardingFlow()} label="Loading your calendars" />;
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

async function finish({ state, code }: Answer, queries: QueryClient): Promise<Outcome> {
  const allowed = code !== '';
  try {
    await call(ConsentService.method.finishConsent, { state, allowed, code }, { idempotencyKey: state });
  } catch (error) {
    return { kind: 'failed', message: failure(error) };
  }
  void queries.invalidateQueries({ queryKey: consentsQuery().queryKey });
  // What was known says that access is required.
  queries.removeQueries({ queryKey: personCalendarsQuery().queryKey });
  return { kind: allowed ? 'allowed' : 'denied' };
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

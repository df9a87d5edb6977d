import { chakra, Flex, Stack } from '@chakra-ui/react';
import { useState } from 'react';
import { messageOf } from '../http/errors';
import { claimsOf } from '../session/claims';
import { api, session } from '../session/current';
import { roleName } from '../session/roles';
import type { SessionState } from '../session/session';
import { useSession } from '../session/use-session';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { TextField } from '../ui/field';
import { useNow } from '../ui/use-now';
import type { CacheStatus } from './cache-watch';
import { Line, Lines, Panel, Part, SMALL_BUTTON, StatusLine } from './panel';
import { timeLeft } from './time-left';

const SECOND_MS = 1000;

/** Who is signed in, and how long the token is valid. */
export default function AuthPanel({ onClose }: { onClose: () => void }) {
  const state = useSession();
  const now = useNow(SECOND_MS).getTime();
  const { status, running, run } = useRun();
  return (
    <Panel
      title="Auth"
      badge={<Badge tone={state.user ? 'good' : 'quiet'}>{state.user ? 'Signed in' : 'Signed out'}</Badge>}
      onClose={onClose}
      foot={
        <>
          <Flex gap="2" wrap="wrap">
            <Button
              {...SMALL_BUTTON}
              loading={running === 'refresh'}
              onClick={() => run('refresh', () => session.renew().then(() => 'The token is new.'))}
            >
              Refresh now
            </Button>
            <Button
              {...SMALL_BUTTON}
              disabled={!session.token}
              onClick={() => run('expire', async () => expireToken())}
            >
              Expire token locally
            </Button>
          </Flex>
          <StatusLine status={status} />
        </>
      }
    >
      <Who state={state} />
      <Token state={state} now={now} />
      <Diagnosis email={(state.user ?? state.cachedUser)?.email ?? ''} />
    </Panel>
  );
}

function expireToken(): string {
  session.expireToken();
  return 'The door refuses this token; the next call renews it.';
}

/** Runs one action at a time, and keeps the outcome of the last. */
function useRun() {
  const [status, setStatus] = useState<CacheStatus | null>(null);
  const [running, setRunning] = useState<string | null>(null);
  const run = async (name: string, action: () => Promise<string>) => {
    setRunning(name);
    try {
      setStatus({ tone: 'good', text: await action() });
    } catch (error) {
      // A refresh that was not even tried says why in an error of its own.
      const text = messageOf(error, error instanceof Error ? error.message : undefined);
      setStatus({ tone: 'bad', text });
    } finally {
      setRunning(null);
    }
  };
  return { status, running, run };
}

function Who({ state: { user, cachedUser, ended } }: { state: SessionState }) {
  const person = user ?? cachedUser;
  if (!person) return <chakra.p color="fg.muted">Not signed in{ended ? ` (${ended})` : ''}.</chakra.p>;
  return (
    <Part title={user ? 'Person' : 'Person, from the cache'}>
      <Lines>
        <Line name="Name">{person.name}</Line>
        <Line name="E-mail">{person.email}</Line>
        <Line name="Role">
          {roleName(person.role)} <chakra.code color="fg.muted">{person.role}</chakra.code>
        </Line>
        <Line name="Provider">{person.provider}</Line>
        <Line name="Id">
          <chakra.code fontFamily="mono" fontSize="0.8125rem">
            {person.id}
          </chakra.code>
        </Line>
        <Line name="Businesses">{person.businessIds.length}</Line>
      </Lines>
    </Part>
  );
}

function Token({ state, now }: { state: SessionState; now: number }) {
  const { token, backoff } = session;
  const { exp } = token ? claimsOf(token) : {};
  return (
    <Part title="Token">
      <Lines>
        <Line name="Time left">
          <chakra.span role="timer" fontWeight="600">
            {exp ? timeLeft(exp * 1000 - now) : token ? 'it does not say' : 'no token'}
          </chakra.span>
        </Line>
        {state.endingAt !== null && <Line name="Session ends">in {timeLeft(state.endingAt - now)}</Line>}
        <Line name="Refresh">{refreshState(state, backoff, now)}</Line>
        <Line name="Had a session">{session.hadSession ? 'yes' : 'no'}</Line>
      </Lines>
    </Part>
  );
}

function refreshState(state: SessionState, backoff: { failures: number; blockedUntil: number }, now: number) {
  if (state.refreshing) return 'running';
  const { failures, blockedUntil } = backoff;
  if (failures === 0) return state.complete ? 'idle' : 'not started';
  const failed = `${failures} failed in a row`;
  return blockedUntil > now ? `${failed}, blocked for ${timeLeft(blockedUntil - now)}` : failed;
}

function Diagnosis({ email: signedIn }: { email: string }) {
  const [typed, setTyped] = useState<string | null>(null);
  const [facts, setFacts] = useState<[string, string][]>([]);
  const { status, running, run } = useRun();
  const email = typed ?? signedIn;
  const diagnose = () =>
    run('user', async () => {
      const answer = await api({ verb: 'POST', path: '/auth/diagnose-user', body: { email } });
      return (answer as { message?: string }).message ?? '';
    });
  const readConfiguration = () =>
    run('oauth', async () => {
      const answer = await api({ verb: 'GET', path: '/auth/debug/oauth-config' });
      setFacts(Object.entries(answer as object).map(([name, value]) => [name, String(value)]));
      return 'The provider is configured like this:';
    });
  return (
    <Part title="Diagnosis">
      <Stack
        as="form"
        gap="2"
        onSubmit={(event) => {
          event.preventDefault();
          void diagnose();
        }}
      >
        <TextField
          label="E-mail"
          type="email"
          autoComplete="off"
          value={email}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Flex gap="2" wrap="wrap">
          <Button {...SMALL_BUTTON} type="submit" disabled={!email} loading={running === 'user'}>
            Diagnose user
          </Button>
          <Button {...SMALL_BUTTON} loading={running === 'oauth'} onClick={readConfiguration}>
            OAuth configuration
          </Button>
        </Flex>
      </Stack>
      <StatusLine status={status} />
      {facts.length > 0 && (
        <Lines>
          {facts.map(([name, value]) => (
            <Line key={name} name={name}>
              {value}
            </Line>
          ))}
        </Lines>
      )}
    </Part>
  );
}

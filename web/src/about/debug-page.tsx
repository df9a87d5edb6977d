import { Flex, Stack } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { CardPage } from '../layout/card-page';
import { runtime } from '../runtime';
import type { SessionState } from '../session/session';
import { useSession } from '../session/use-session';
import { viewerZone } from '../time/zoned';
import { Button } from '../ui/button';
import { Fact, Facts } from '../ui/facts';
import { Spinner } from '../ui/spinner';
import { H2, Muted, ScreenReaderOnly, Text } from '../ui/text';
import { type Checked, checkClock, checkServer, checkSocket, checkStorage } from './checks';

/** How this page sees its installation: its build, what it was told, and whether it gets through. Never a token. */
export function Component() {
  const { environment, version, apiBaseUrl, webSocketUrl, renewalThresholdMs, reports } = runtime();
  const at = (path: string) => new URL(path, window.location.origin).href;
  return (
    <CardPage title="Debug" lead="How this page sees its installation." wide>
      <Checks />
      <Section title="Build and configuration">
        <Facts>
          <Fact name="Environment">{environment}</Fact>
          <Fact name="Version">{version}</Fact>
          <Fact name="API">{at(apiBaseUrl)}</Fact>
          <Fact name="Live socket">{at(webSocketUrl).replace(/^http/, 'ws')}</Fact>
          <Fact name="Tokens are renewed">{Math.round(renewalThresholdMs / 1000)} s before they end</Fact>
          <Fact name="Measured here">{measured(reports)}</Fact>
          <Fact name="Time zone here">{viewerZone()}</Fact>
          <Fact name="Language here">{navigator.language}</Fact>
        </Facts>
      </Section>
      {environment === 'production' ? null : <Session />}
    </CardPage>
  );
}

function measured({ vitals, traces }: { vitals: boolean; traces: boolean }): string {
  if (vitals && traces) return 'Page speed and traces';
  if (vitals) return 'Page speed';
  return traces ? 'Traces' : 'Nothing';
}

/** Who is signed in, while developing alone. */
function Session() {
  const session = useSession();
  const { user } = session;
  return (
    <Section title="Session">
      <Facts>
        <Fact name="Signed in as">{user ? `${user.email} (${user.role})` : 'No one'}</Fact>
        <Fact name="Session">{sessionText(session)}</Fact>
      </Facts>
    </Section>
  );
}

function sessionText({ user, loading, refreshing, complete }: SessionState): string {
  if (loading) return 'Loading';
  if (refreshing) return 'Refreshing';
  if (!complete) return 'Unknown';
  return user ? 'Open' : 'None';
}

const CHECKS = [
  ['Server', checkServer],
  ['Live socket', checkSocket],
  ['Clock of this device', checkClock],
  ['Cookies and storage', async () => checkStorage()],
] as const;

/** Whether the page gets through, tried when it opens and at each press. */
function Checks() {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Checked>>(new Map());
  const [round, setRound] = useState(0);
  const note = useCallback(
    (name: string, checked: Checked) => setOutcomes((before) => new Map(before).set(name, checked)),
    [],
  );
  useEffect(() => {
    let current = round >= 0;
    setOutcomes(new Map());
    for (const [name, check] of CHECKS) void check().then((checked) => current && note(name, checked));
    return () => {
      current = false;
    };
  }, [round, note]);
  const running = outcomes.size < CHECKS.length;
  return (
    <Section title="Checks">
      <Stack as="ul" aria-label="Checks" aria-live="polite" gap="3" listStyleType="none">
        {CHECKS.map(([name]) => (
          <Line key={name} name={name} checked={outcomes.get(name)} />
        ))}
      </Stack>
      <Flex>
        <Button onClick={() => setRound(round + 1)} loading={running}>
          Check again
        </Button>
      </Flex>
    </Section>
  );
}

const ICONS = {
  good: [CircleCheck, 'good.fg', 'Good'],
  warn: [TriangleAlert, 'warn.fg', 'Take note'],
  bad: [CircleAlert, 'bad.fg', 'Bad'],
} as const;

function Line({ name, checked }: { name: string; checked: Checked | undefined }) {
  const [Icon, color, word] = ICONS[checked?.state ?? 'good'];
  return (
    <Flex as="li" gap="3" align="flex-start">
      <Flex pt="0.5" color={checked ? color : 'fg.muted'} flexShrink="0">
        {checked ? <Icon size={20} aria-hidden /> : <Spinner size="20px" />}
      </Flex>
      <Stack gap="0">
        <Text fontWeight="600">{name}</Text>
        <Muted>
          {checked && <ScreenReaderOnly>{word}: </ScreenReaderOnly>}
          {checked?.text ?? 'Checking'}
        </Muted>
      </Stack>
    </Flex>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="4">
      <H2>{title}</H2>
      {children}
    </Stack>
  );
}

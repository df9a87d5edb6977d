import { Box } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action';
import { call } from '../api/call';
import { SecurityService, type SignedInSession } from '../gen/frontdesk/auth/v1/security_pb';
import { messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { session } from '../session/current';
import { signOut } from '../session/sign-out';
import { agoText } from '../time/ago';
import { dateAndTime, moment, viewerZone } from '../time/zoned';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { ConfirmDialog } from '../ui/dialog';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { useNow } from '../ui/use-now';
import { browserIcon, browserName } from './browser-icon';
import { Entries, Entry } from './entry';
import { eventPages, sessionsQuery } from './queries';

/** Every browser that is signed in to this account. */
export function Sessions() {
  const query = useQuery(sessionsQuery());
  const [asking, setAsking] = useState(false);
  return (
    <Card title="Where you are signed in" flush>
      <Reading
        query={query}
        what="Your sessions"
        skeleton={<RowsSkeleton rows={2} label="Loading where you are signed in" />}
      >
        {({ sessions }) =>
          sessions.length === 0 ? (
            <Empty icon={LogOut} title="Nowhere any more">
              This session has just ended.
            </Empty>
          ) : (
            <>
              <Entries label="Where you are signed in">
                {sessions.map((one) => (
                  <SessionEntry key={one.id} session={one} />
                ))}
              </Entries>
              <Box px={{ base: '4', sm: '6' }} py="4" borderTop="1px solid" borderColor="line">
                <Button variant="dangerOutline" onClick={() => setAsking(true)}>
                  Sign out everywhere
                </Button>
              </Box>
            </>
          )
        }
      </Reading>
      {asking && <EverywhereDialog onClose={() => setAsking(false)} />}
    </Card>
  );
}

function SessionEntry({ session: one }: { session: SignedInSession }) {
  const now = useNow(30_000);
  const end = useEnd(one);
  const zone = viewerZone();
  const [used, since] = [moment(one.lastUsedAt), moment(one.signedInAt)];
  const details = [
    one.address,
    used && (one.current ? 'in use now' : `last used ${agoText(used, now)}`),
    since && `signed in ${dateAndTime(since, zone)}`,
  ];
  return (
    <Entry
      icon={browserIcon(one.browser)}
      tone={one.current ? 'brand' : 'quiet'}
      title={browserName(one.browser)}
      badges={
        <>
          {one.current && <Badge tone="brand">This browser</Badge>}
          {one.trusted && <Badge tone="good">Trusted</Badge>}
        </>
      }
      details={details}
      action={
        <Button
          loading={end.running}
          onClick={end.now}
          aria-label={`Sign out (${browserName(one.browser)}, ${one.address})`}
        >
          Sign out
        </Button>
      }
    />
  );
}

/** Ends one session. The session of this tab ends as from the menu. */
function useEnd({ id, current }: SignedInSession): { now: () => void; running: boolean } {
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState(false);
  const { act, running } = useAction(SecurityService.method.endSession, {
    onDone: () => {
      // A read under way would bring it back.
      void queries.cancelQueries({ queryKey: sessionsQuery().queryKey });
      queries.setQueryData(
        sessionsQuery().queryKey,
        (before) => before && { ...before, sessions: before.sessions.filter((other) => other.id !== id) },
      );
      void queries.invalidateQueries({ queryKey: eventPages().queryKey });
      toasts.show('good', 'Signed out there.');
    },
    onRefused: (error) => {
      toasts.show('bad', messageOf(error, 'That session could not be ended.'));
      void queries.invalidateQueries({ queryKey: sessionsQuery().queryKey });
    },
  });
  const leave = () => {
    setLeaving(true);
    void signOut();
  };
  return { now: current ? leave : () => act({ sessionId: id }), running: running || leaving };
}

function EverywhereDialog({ onClose }: { onClose: () => void }) {
  const [running, setRunning] = useState(false);
  const [refused, setRefused] = useState('');
  const leave = async () => {
    setRunning(true);
    setRefused('');
    try {
      await session.endOnPurpose(() => call(SecurityService.method.signOutEverywhere, {}));
      await signOut();
    } catch (error) {
      setRefused(messageOf(error, 'You could not be signed out everywhere.'));
      setRunning(false);
    }
  };
  return (
    <ConfirmDialog
      title="Sign out everywhere?"
      confirm="Sign out everywhere"
      keep="Stay signed in"
      refused={refused}
      running={running}
      onConfirm={() => void leave()}
      onClose={onClose}
    >
      <Text>Every browser is signed out within a second, this one included. Then sign in again here.</Text>
    </ConfirmDialog>
  );
}

import { Box, Flex, Grid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, History, Square } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAction } from '../../api/action';
import { callerOf } from '../../business/call-outcome';
import { Conversation } from '../../calls/conversation';
import { callQuery } from '../../calls/queries';
import type { GetCallResponse } from '../../gen/frontdesk/telemetry/v1/call_pb';
import { AgentChatService } from '../../gen/frontdesk/tenancy/v1/agent_chat_pb';
import { messageOf } from '../../http/errors';
import { Reading } from '../../layout/reading';
import { agentSpeaks } from '../../runtime';
import { dateAndTime, moment } from '../../time/zoned';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { RowsSkeleton } from '../../ui/skeleton';
import { Spinner } from '../../ui/spinner';
import { Note, Refusal } from '../../ui/states';
import { H3, Muted, Text } from '../../ui/text';
import type { Changed } from '../chat/chat';
import { NoModelNote } from '../no-model-note';
import { useReplay } from './use-replay';

type ReplayCardProps = { businessId: string; callId: string; zone: string; onClose: () => void };

/** A past call beside what the draft makes of the same words. */
export function ReplayCard({ businessId, callId, zone, onClose }: ReplayCardProps) {
  const query = useQuery(callQuery(businessId, callId));
  return (
    <Card title="Replay of a call">
      <Reading query={query} what="The call" skeleton={<RowsSkeleton rows={3} label="Loading the call" />}>
        {(answer) => (
          <Replay businessId={businessId} callId={callId} zone={zone} past={answer} onClose={onClose} />
        )}
      </Reading>
    </Card>
  );
}

function Replay({ businessId, callId, zone, past, onClose }: ReplayCardProps & { past: GetCallResponse }) {
  const { chat, start, stop } = useReplay(businessId, callId);
  const { act, running, error } = useAction(AgentChatService.method.startAgentChat, {
    onDone: ({ chat: started }) => started && start(started.id, started.agent?.settings?.greeting ?? ''),
  });
  const { call } = past;
  const at = moment(call?.startedAt);
  const coming = chat?.reply.state === 'coming';
  return (
    <Stack gap="4">
      <Muted>
        The caller says the same again, and the saved draft answers: a dry run, whose look-ups for free times
        are answered as of the call{at && `, ${dateAndTime(at, zone)}`}. Customers, their visits, the
        catalogue and the hours are as they are today.
      </Muted>
      {!agentSpeaks() && <NoModelNote />}
      <Refusal>{error && messageOf(error, 'The replay could not be started.')}</Refusal>
      <Flex gap="3" wrap="wrap" align="center">
        {coming ? (
          <Button onClick={stop}>
            <Square size={16} aria-hidden />
            Stop the replay
          </Button>
        ) : (
          agentSpeaks() && (
            <Button variant="contained" loading={running} onClick={() => act({ businessId, draft: true })}>
              {chat ? 'Replay it again' : 'Replay it with the draft'}
            </Button>
          )
        )}
        <Button onClick={onClose}>Close the replay</Button>
        <Flex role="status" align="center" gap="2">
          {coming && (
            <>
              <Spinner size="16px" />
              <Muted>The replay runs …</Muted>
            </>
          )}
          {chat?.reply.state === 'none' && <Muted>The replay is over.</Muted>}
        </Flex>
      </Flex>
      {chat?.reply.state === 'failed' && (
        <Note tone="bad" icon={CircleAlert} role="alert">
          {chat.reply.message} Replay it again.
        </Note>
      )}
      {chat && chat.changed.length > 0 && <Changes changed={chat.changed} />}
      <Grid gap="6" alignItems="start" gridTemplateColumns={{ base: '1fr', lg: '1fr 1fr' }}>
        <Side title="What happened">
          <Conversation
            turns={past.turns}
            tools={past.toolCalls}
            live={false}
            caller={call ? callerOf(call) : 'Caller'}
          />
        </Side>
        <Side title="What the draft does">
          {chat ? (
            <Conversation turns={chat.turns} tools={chat.tools} live={false} caller="Caller" />
          ) : (
            <Muted>Nothing yet.</Muted>
          )}
        </Side>
      </Grid>
    </Stack>
  );
}

function Side({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box as="section" aria-label={title} minWidth="0">
      <H3 mb="3">{title}</H3>
      {children}
    </Box>
  );
}

/** The same look-ups say something else today: the replay does not run on the salon of that day. */
function Changes({ changed }: { changed: Changed[] }) {
  return (
    <Note tone="warn" icon={History}>
      <Text>
        The catalogue, the hours or the team have changed since the call. The same look-ups, as of the call,
        now say:
      </Text>
      <Stack as="ul" aria-label="Changed since the call" gap="2" mt="2" ps="4" listStyleType="disc">
        {changed.map(({ tool, before, after }, index) => (
          <li key={`${index} ${tool}`}>
            “{after}” instead of “{before}”
          </li>
        ))}
      </Stack>
    </Note>
  );
}

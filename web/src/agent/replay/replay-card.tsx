import { Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Square } from 'lucide-react';
import { useAction } from '../../api/action';
import { callerOf } from '../../business/call-outcome';
import { callQuery } from '../../calls/queries';
import { timelineOf } from '../../calls/timeline';
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
import { Muted, Text } from '../../ui/text';
import { NoModelNote } from '../no-model-note';
import { bookedText, exchangesOf, summaryText } from './exchanges';
import { SideBySide } from './side-by-side';
import { useReplay } from './use-replay';
import { WhatChanged } from './what-changed';

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
  const { chat, stopped, start, stop } = useReplay(businessId, callId);
  const { act, running, error } = useAction(AgentChatService.method.startAgentChat, {
    onDone: ({ chat: started }) => started && start(started.id, started.agent?.settings?.greeting ?? ''),
  });
  const { call } = past;
  const at = moment(call?.startedAt);
  const state = chat && (chat.reply.state === 'coming' ? 'running' : 'over');
  const exchanges = exchangesOf(
    timelineOf(past.turns, past.toolCalls),
    chat && timelineOf(chat.turns, chat.tools),
    chat?.reply.state === 'none' && !stopped,
  );
  return (
    <Stack gap="4">
      <Muted maxWidth="44rem">
        The caller says the same again and the saved draft answers, on a dry run: nothing is stored. Free
        times are those of the call{at && `, ${dateAndTime(at, zone)}`}; customers, services and hours are
        today’s.
        {past.turns.some(({ interrupted }) => interrupted) &&
          ' Where the caller broke in, the replay lets the draft finish.'}
      </Muted>
      {!agentSpeaks() && <NoModelNote />}
      <Refusal>{error && messageOf(error, 'The replay could not be started.')}</Refusal>
      <Flex gap="3" wrap="wrap" align="center">
        {state === 'running' ? (
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
        <Button
          onClick={({ currentTarget }) => {
            // The button goes with the card.
            currentTarget.closest('main')?.focus({ preventScroll: true });
            onClose();
          }}
        >
          Close the replay
        </Button>
        <Flex role="status" align="center" gap="2">
          {state === 'running' && (
            <>
              <Spinner size="16px" />
              <Muted>The replay runs …</Muted>
            </>
          )}
          {chat?.reply.state === 'none' && (
            <Muted>{stopped ? 'You stopped the replay.' : 'The replay is over.'}</Muted>
          )}
        </Flex>
      </Flex>
      {chat?.reply.state === 'failed' && (
        <Note tone="bad" icon={CircleAlert} role="alert">
          {chat.reply.message} The replay ended here; you can replay it again.
        </Note>
      )}
      {state === 'over' && exchanges.some(({ difference }) => difference) && (
        <Text fontWeight="600">
          {summaryText(exchanges)}
          {chat?.reply.state === 'none' && !stopped && ` ${bookedText(exchanges)}`}
        </Text>
      )}
      <WhatChanged changed={chat?.changed ?? []} />
      <SideBySide exchanges={exchanges} caller={call ? callerOf(call) : 'Caller'} state={state} />
    </Stack>
  );
}

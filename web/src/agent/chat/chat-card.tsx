import { Flex, Stack } from '@chakra-ui/react';
import { useState } from 'react';
import { useAction } from '../../api/action';
import { type AgentChat, AgentChatService } from '../../gen/frontdesk/tenancy/v1/agent_chat_pb';
import type { GetAgentSettingsResponse } from '../../gen/frontdesk/tenancy/v1/agent_settings_pb';
import { messageOf } from '../../http/errors';
import { agentSpeaks } from '../../runtime';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Choice } from '../../ui/choice';
import { TextField } from '../../ui/field';
import { Refusal } from '../../ui/states';
import { Muted } from '../../ui/text';
import { NoModelNote } from '../no-model-note';
import { Chatting } from './chatting';

type ChatCardProps = { businessId: string; told: GetAgentSettingsResponse };

/** Tries the agent in text, on a dry run. */
export function ChatCard({ businessId, told }: ChatCardProps) {
  const [source, setSource] = useState<'draft' | 'published'>('draft');
  const [callerNumber, setCallerNumber] = useState('');
  const [chat, setChat] = useState<AgentChat>();
  const { act, running, error } = useAction(AgentChatService.method.startAgentChat, {
    onDone: (started) => setChat(started.chat),
  });
  const version = told.published?.version ?? 0;
  const published = version > 0 ? `Published version ${version}` : 'Frontdesk’s default';
  return (
    <Card title="Try the agent">
      <Stack gap="4">
        <Muted>
          A dry run in text: the agent reads the real schedule, but nothing that it holds, books, moves,
          cancels or notes is saved.
        </Muted>
        {!agentSpeaks() ? (
          <NoModelNote />
        ) : chat ? (
          <Chatting
            key={chat.id}
            businessId={businessId}
            chat={chat}
            callerNumber={callerNumber}
            onEnd={() => setChat(undefined)}
          />
        ) : (
          <>
            <Choice
              legend="It runs on"
              value={source}
              options={[
                ['draft', 'The saved draft'],
                ['published', published],
              ]}
              onChange={setSource}
            />
            <TextField
              label="Number you call from (optional)"
              type="tel"
              autoComplete="off"
              hint="With its country code. The agent recognises a customer by it. Leave empty for a withheld number."
              value={callerNumber}
              onChange={(event) => setCallerNumber(event.target.value)}
            />
            <Refusal>{error && messageOf(error, 'The chat could not be started.')}</Refusal>
            <Flex>
              <Button
                variant="contained"
                loading={running}
                onClick={() => act({ businessId, draft: source === 'draft' })}
              >
                Start a chat
              </Button>
            </Flex>
          </>
        )}
      </Stack>
    </Card>
  );
}

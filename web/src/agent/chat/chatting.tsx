import { Box, Flex, Stack } from '@chakra-ui/react';
import { CircleAlert, Square } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Conversation } from '../../calls/conversation';
import type { AgentChat } from '../../gen/frontdesk/tenancy/v1/agent_chat_pb';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { Spinner } from '../../ui/spinner';
import { Note } from '../../ui/states';
import { Muted } from '../../ui/text';
import { useChat } from './use-chat';
import { useEndInSight } from './use-end-in-sight';

type ChattingProps = { businessId: string; chat: AgentChat; callerNumber: string; onEnd: () => void };

const MAX_TEXT = 2_000;

/** Version 0 is what runs while nothing is published. */
function sourceText(draft: boolean, version: number): string {
  if (draft) return 'On the draft as it was saved.';
  return version > 0 ? `On version ${version}.` : 'On Frontdesk’s default settings.';
}

/** A chat under way. */
export function Chatting({ businessId, chat: started, callerNumber, onEnd }: ChattingProps) {
  const greeting = started.agent?.settings?.greeting ?? '';
  const { chat, say, stop, again } = useChat({ businessId, chatId: started.id, greeting, callerNumber });
  const [text, setText] = useState('');
  const { box, follow } = useEndInSight();
  const coming = chat.reply.state === 'coming';
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (coming || text.trim() === '') return;
    follow();
    say(text.trim());
    setText('');
  };
  const version = started.agent?.version ?? 0;
  return (
    <Stack as="section" aria-label="Chat with the agent" gap="4">
      <Muted>{sourceText(started.draft, version)}</Muted>
      <Box
        {...box}
        maxHeight="32rem"
        overflowY="auto"
        tabIndex={0}
        role="group"
        aria-label="What was said"
        pe="1"
      >
        <Conversation turns={chat.turns} tools={chat.tools} live={false} caller="You" />
      </Box>
      <Flex role="status" align="center" gap="2" minHeight="6">
        {coming && (
          <>
            <Spinner size="16px" />
            <Muted>The agent answers …</Muted>
          </>
        )}
      </Flex>
      {chat.reply.state === 'failed' && (
        <Note tone="bad" icon={CircleAlert} role="alert" action={<Button onClick={again}>Try again</Button>}>
          {chat.reply.message} Try again, or say something else.
        </Note>
      )}
      <form onSubmit={send} noValidate>
        <Stack gap="3">
          <TextField
            label="What the caller says"
            autoComplete="off"
            maxLength={MAX_TEXT}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Flex gap="3" wrap="wrap">
            {coming ? (
              <Button onClick={stop}>
                <Square size={16} aria-hidden />
                Stop the agent
              </Button>
            ) : (
              <Button type="submit" variant="contained" disabled={text.trim() === ''}>
                Say it
              </Button>
            )}
            <Button onClick={onEnd}>End the chat</Button>
          </Flex>
        </Stack>
      </form>
    </Stack>
  );
}

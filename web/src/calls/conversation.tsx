import { Box, Flex, Stack } from '@chakra-ui/react';
import { ArrowDown, MessagesSquare } from 'lucide-react';
import type { ToolCall, Turn } from '../gen/frontdesk/telemetry/v1/call_pb';
import { Button } from '../ui/button';
import { Empty } from '../ui/states';
import { Muted } from '../ui/text';
import { ABOVE_FOOT, ToolLine, TurnLine } from './conversation-lines';
import { wordsLaterText } from './platform';
import { useStayAtEnd } from './stay-at-end';
import { timelineOf } from './timeline';
import { heardAt, type Playback } from './use-playback';

type ConversationProps = {
  turns: Turn[];
  tools: ToolCall[];
  live: boolean;
  caller: string;
  /** Where the call is made, if it is one. */
  platform?: string;
  /** Why what would name the caller's number is hidden, where it is. */
  whyHidden?: string;
  /** The recording that is heard beside it. */
  playback?: Playback;
};

/** The transcript, with the agent's tool calls in between. */
export function Conversation({
  turns,
  tools,
  live,
  caller,
  platform = '',
  whyHidden = '',
  playback,
}: ConversationProps) {
  const entries = timelineOf(turns, tools);
  const heard = heardAt(
    turns.map((turn) => turn.offsetMs),
    playback?.at ?? null,
  );
  const { end, left, unseen, jump } = useStayAtEnd(live, entries.length);
  const wordsLater = wordsLaterText(platform);
  if (entries.length === 0) {
    return (
      <Empty icon={MessagesSquare} title={emptyTitle(live, wordsLater)}>
        {live && (wordsLater || 'What is said shows up here as it is spoken.')}
      </Empty>
    );
  }
  return (
    <>
      {tools.some((tool) => tool.dataHidden) && (
        <Muted pb="4">What the agent looked up is hidden with the caller’s phone number. {whyHidden}.</Muted>
      )}
      <Stack
        as="ol"
        gap="4"
        listStyleType="none"
        aria-label="Conversation"
        {...(live ? { 'aria-live': 'polite' } : {})}
      >
        {entries.map((entry) =>
          entry.kind === 'turn' ? (
            <TurnLine
              key={entry.key}
              turn={entry.turn}
              caller={caller}
              heard={entry.turn === turns[heard]}
              playback={playback?.offered ? playback : undefined}
            />
          ) : (
            <ToolLine key={entry.key} tool={entry.tool} />
          ),
        )}
      </Stack>
      {live && turns.length === 0 && wordsLater && <Muted pt="4">{wordsLater}</Muted>}
      {left && (
        <Flex position="sticky" bottom={ABOVE_FOOT} justify="center" pt="3">
          <Button variant="contained" boxShadow="float" onClick={jump}>
            <ArrowDown size={18} aria-hidden />
            Jump to live{unseen > 0 && ` · ${unseen} new`}
          </Button>
        </Flex>
      )}
      <Box ref={end} tabIndex={-1} outline="none" scrollMarginBottom={ABOVE_FOOT} />
    </>
  );
}

function emptyTitle(live: boolean, wordsLater: string): string {
  if (!live) return 'Nothing was said';
  return wordsLater ? 'The agent has looked nothing up yet' : 'Waiting for the first words';
}

import { Box, chakra, Flex, Stack } from '@chakra-ui/react';
import { Bot, ChevronRight, CircleCheck, CircleX, MessagesSquare, User } from 'lucide-react';
import { Speaker, type ToolCall, type Turn } from '../gen/frontdesk/telemetry/v1/call_pb';
import { clockText } from '../time/zoned';
import { Spinner } from '../ui/spinner';
import { Empty } from '../ui/states';
import { Figures, ScreenReaderOnly, Text } from '../ui/text';
import { useStayAtEnd } from './stay-at-end';
import { isRunning, latencyText, prettyJson, timelineOf, toolName } from './timeline';

type ConversationProps = { turns: Turn[]; tools: ToolCall[]; live: boolean; caller: string };

/** The transcript, with the agent's tool calls in between. */
export function Conversation({ turns, tools, live, caller }: ConversationProps) {
  const entries = timelineOf(turns, tools);
  useStayAtEnd(live, entries.length);
  if (entries.length === 0) {
    return (
      <Empty icon={MessagesSquare} title={live ? 'Waiting for the first words' : 'Nothing was said'}>
        {live && 'What is said shows up here as it is spoken.'}
      </Empty>
    );
  }
  return (
    <Stack
      as="ol"
      gap="4"
      listStyleType="none"
      aria-label="Conversation"
      {...(live ? { 'aria-live': 'polite' } : {})}
    >
      {entries.map((entry) =>
        entry.kind === 'turn' ? (
          <TurnLine key={entry.key} turn={entry.turn} caller={caller} />
        ) : (
          <ToolLine key={entry.key} tool={entry.tool} />
        ),
      )}
    </Stack>
  );
}

function TurnLine({ turn, caller }: { turn: Turn; caller: string }) {
  const agent = turn.speaker === Speaker.AGENT;
  const Icon = agent ? Bot : User;
  return (
    <Flex as="li" gap="3" direction={agent ? 'row' : 'row-reverse'} align="flex-end">
      <Flex
        flexShrink="0"
        width="32px"
        height="32px"
        borderRadius="full"
        align="center"
        justify="center"
        bg={agent ? 'brand.subtle' : 'info.subtle'}
        color={agent ? 'brand.fg' : 'info.fg'}
        hideBelow="sm"
      >
        <Icon size={18} aria-hidden />
      </Flex>
      <Stack gap="1" maxWidth={{ base: '92%', sm: '78%' }} align={agent ? 'flex-start' : 'flex-end'}>
        <Box
          px="4"
          py="2.5"
          borderRadius="14px"
          {...(agent ? { borderEndStartRadius: '4px' } : { borderEndEndRadius: '4px' })}
          bg={agent ? 'brand.subtle' : 'quiet.subtle'}
        >
          <ScreenReaderOnly>{agent ? 'Agent: ' : `${caller}: `}</ScreenReaderOnly>
          <Text whiteSpace="pre-line">{turn.text}</Text>
        </Box>
        <Figures fontSize="0.8125rem" color="fg.muted" px="1">
          {agent ? 'Agent' : caller}
          {turn.offsetMs >= 0 && ` · ${clockText(turn.offsetMs)}`}
        </Figures>
      </Stack>
    </Flex>
  );
}

const Summary = chakra('summary', {
  base: {
    display: 'flex',
    alignItems: 'center',
    flexWrap: 'wrap',
    gap: '2.5',
    minHeight: '11',
    px: '3.5',
    py: '2',
    cursor: 'pointer',
    listStyleType: 'none',
    borderRadius: 'button',
    fontSize: '0.9375rem',
    _hover: { bg: 'bg.hover' },
    '&::-webkit-details-marker': { display: 'none' },
  },
});

function ToolLine({ tool }: { tool: ToolCall }) {
  return (
    <Box as="li" ps={{ base: '0', sm: '11' }}>
      <chakra.details
        border="1px solid"
        borderColor="line"
        borderRadius="button"
        bg="bg.sunken"
        css={{ '&[open] .turner': { transform: 'rotate(90deg)' } }}
      >
        <Summary>
          <chakra.span className="turner" transition="transform" color="fg.muted" display="inline-flex">
            <ChevronRight size={18} aria-hidden />
          </chakra.span>
          <ToolState tool={tool} />
          <chakra.span fontWeight="600">{toolName(tool.name)}</chakra.span>
          <Figures marginInlineStart="auto" color="fg.muted" fontSize="0.8125rem">
            {!isRunning(tool) && latencyText(tool.latencyMs)}
            {tool.offsetMs >= 0 && ` · ${clockText(tool.offsetMs)}`}
          </Figures>
        </Summary>
        <Stack gap="3" px="4" pb="4" pt="1">
          <Json label="Asked" text={tool.arguments} />
          <Json label="Answered" text={tool.result} missing="No answer yet" />
        </Stack>
      </chakra.details>
    </Box>
  );
}

function ToolState({ tool }: { tool: ToolCall }) {
  if (isRunning(tool)) {
    return (
      <chakra.span display="inline-flex" color="info.fg">
        <Spinner size="16px" />
        <ScreenReaderOnly>Running: </ScreenReaderOnly>
      </chakra.span>
    );
  }
  const Icon = tool.ok ? CircleCheck : CircleX;
  return (
    <chakra.span display="inline-flex" color={tool.ok ? 'good.fg' : 'bad.fg'}>
      <Icon size={18} aria-hidden />
      <ScreenReaderOnly>{tool.ok ? 'Done: ' : 'Failed: '}</ScreenReaderOnly>
    </chakra.span>
  );
}

function Json({ label, text, missing = 'Nothing' }: { label: string; text: string; missing?: string }) {
  return (
    <Box>
      <chakra.p fontSize="0.8125rem" fontWeight="600" color="fg.muted" mb="1">
        {label}
      </chakra.p>
      <chakra.pre
        tabIndex={0}
        role="group"
        aria-label={label}
        fontFamily="mono"
        fontSize="0.8125rem"
        lineHeight="1.55"
        p="3"
        borderRadius="button"
        bg="bg.card"
        border="1px solid"
        borderColor="line"
        overflowX="auto"
        maxHeight="22rem"
        overflowY="auto"
        whiteSpace="pre"
      >
        {text ? prettyJson(text) : missing}
      </chakra.pre>
    </Box>
  );
}

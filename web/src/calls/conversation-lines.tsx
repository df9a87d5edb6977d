import { Box, chakra, Flex, Stack } from '@chakra-ui/react';
import { Bot, ChevronRight, CircleCheck, CircleMinus, CircleX, MicOff, User } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Speaker, type ToolCall, type Turn } from '../gen/frontdesk/telemetry/v1/call_pb';
import { clockText } from '../time/zoned';
import { Spinner } from '../ui/spinner';
import { Figures, Muted, ScreenReaderOnly, Text } from '../ui/text';
import { FOOTING } from '../ui/use-footing';
import { isRunning, latencyText, prettyJson, toolTimes } from './timeline';
import { answerText, doneText, hasFailed } from './tool-words';
import type { Playback } from './use-playback';

/** Clears the navigation bar of a phone, and any bar at the foot of the page. */
export const ABOVE_FOOT = { base: `calc(5rem + ${FOOTING})`, md: `calc(1.5rem + ${FOOTING})` };

/** Clears the page's header and the player below it. */
const BELOW_PLAYER = '13rem';

type TurnLineProps = {
  turn: Turn;
  caller: string;
  /** It is what the recording says now. */
  heard?: boolean;
  /** The recording, where there is one. */
  playback?: Playback | undefined;
  /** Where all turns are the agent's: without whose each is. */
  bare?: boolean;
};

export function TurnLine({ turn, caller, heard = false, playback, bare = false }: TurnLineProps) {
  const line = useRef<HTMLLIElement>(null);
  const show = useEffectEvent(() => {
    if (line.current) playback?.show(line.current);
  });
  useEffect(() => {
    if (heard) show();
  }, [heard]);
  const playFrom = turn.offsetMs >= 0 ? playback?.playFrom : undefined;
  const agent = turn.speaker === Speaker.AGENT;
  const Icon = agent ? Bot : User;
  return (
    <Line
      ref={line}
      aria-current={heard || undefined}
      scrollMarginTop={BELOW_PLAYER}
      scrollMarginBottom={ABOVE_FOOT}
      display="flex"
      gap="3"
      flexDirection={agent ? 'row' : 'row-reverse'}
      alignItems="flex-end"
    >
      {!bare && (
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
      )}
      <Stack
        gap="1"
        maxWidth={bare ? undefined : { base: '92%', sm: '78%' }}
        align={agent ? 'flex-start' : 'flex-end'}
      >
        <Box
          px="4"
          py="2.5"
          borderRadius="14px"
          {...(agent ? { borderEndStartRadius: '4px' } : { borderEndEndRadius: '4px' })}
          bg={agent ? 'brand.subtle' : 'quiet.subtle'}
          outline="2px solid"
          outlineColor={heard ? 'brand.solid' : 'transparent'}
          {...(playFrom && {
            cursor: 'pointer',
            // With keys, by the time below it.
            onClick: () => isSelecting() || playFrom(turn.offsetMs),
          })}
        >
          <ScreenReaderOnly>{agent ? 'Agent: ' : `${caller}: `}</ScreenReaderOnly>
          <Text whiteSpace="pre-line">{turn.text}</Text>
        </Box>
        <TurnFacts turn={turn} who={bare ? '' : agent ? 'Agent' : caller} playFrom={playFrom} />
        {turn.interrupted && (
          <Flex gap="1.5" px="1" align="center" color="fg.muted" fontSize="0.8125rem">
            <MicOff size={14} aria-hidden />
            Cut short: {caller} spoke here
          </Flex>
        )}
      </Stack>
    </Line>
  );
}

type TurnFactsProps = { turn: Turn; who: string; playFrom: Playback['playFrom'] | undefined };

/** "Agent · 0:12 · answered after 640 ms", as far as it is known. */
function TurnFacts({ turn: { offsetMs, latencyMs }, who, playFrom }: TurnFactsProps) {
  const hasTime = offsetMs >= 0;
  const waited = latencyMs === undefined ? '' : `answered after ${latencyText(latencyMs)}`;
  if (!who && !hasTime && !waited) return null;
  return (
    <Figures fontSize="0.8125rem" color="fg.muted" px="1">
      {who}
      {who && hasTime && ' · '}
      {hasTime && <Moment offset={offsetMs} playFrom={playFrom} />}
      {(who || hasTime) && waited && ' · '}
      {waited}
    </Figures>
  );
}

const Line = chakra('li');

/** Words were marked, to be copied. */
const isSelecting = () => window.getSelection()?.isCollapsed === false;

const Jump = chakra('button', {
  base: { minWidth: '6', minHeight: '6', color: 'link', textDecoration: 'underline', cursor: 'pointer' },
});

/** How far into the call it was; a press plays the recording from there. */
function Moment({ offset, playFrom }: { offset: number; playFrom: Playback['playFrom'] | undefined }) {
  const text = clockText(offset);
  if (!playFrom) return text;
  return (
    <Jump type="button" onClick={() => playFrom(offset)} aria-label={`Play from ${text}`}>
      {text}
    </Jump>
  );
}

const Summary = chakra('summary', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '1.5',
    minHeight: '11',
    px: '3.5',
    color: 'fg.muted',
    cursor: 'pointer',
    listStyleType: 'none',
    borderRadius: 'button',
    fontSize: '0.875rem',
    _hover: { bg: 'bg.hover' },
    '&::-webkit-details-marker': { display: 'none' },
  },
});

/** A tool call and its result in words; its raw data unfolds on request. Why data is hidden is said once, above all. */
export function ToolLine({ tool, bare = false }: { tool: ToolCall; bare?: boolean }) {
  const answer = answerText(tool);
  return (
    <Box as="li" ps={bare ? '0' : { base: '0', sm: '11' }}>
      <Box border="1px solid" borderColor="line" borderRadius="button" bg="bg.sunken">
        <Flex gap="2.5" rowGap="0" px="3.5" pt="2.5" align="baseline" wrap="wrap">
          <chakra.span alignSelf="center" lineHeight="0">
            <ToolState tool={tool} />
          </chakra.span>
          <Text as="span" fontWeight="600" flex="1 1 12rem" overflowWrap="anywhere">
            {doneText(tool)}
          </Text>
          <Figures color="fg.muted" fontSize="0.8125rem">
            {toolTimes(tool)}
          </Figures>
        </Flex>
        {answer && !tool.dataHidden && (
          <Muted px="3.5" pt="1" overflowWrap="anywhere">
            {answer}
          </Muted>
        )}
        {tool.dataHidden ? (
          <Box pb="3" />
        ) : (
          <chakra.details css={{ '&[open] .turner': { transform: 'rotate(90deg)' } }}>
            <Summary>
              <chakra.span className="turner" transition="transform" display="inline-flex">
                <ChevronRight size={16} aria-hidden />
              </chakra.span>
              Raw data
              <ScreenReaderOnly> of “{doneText(tool)}”</ScreenReaderOnly>
            </Summary>
            <Stack gap="3" px="4" pb="4" pt="1">
              <Json label="Asked" text={tool.arguments} />
              <Json label="Answered" text={tool.result} missing="No answer yet" />
            </Stack>
          </chakra.details>
        )}
      </Box>
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
  const [Icon, color, text] = tool.ok
    ? ([CircleCheck, 'good.fg', 'Done: '] as const)
    : hasFailed(tool)
      ? ([CircleX, 'bad.fg', 'Failed: '] as const)
      : ([CircleMinus, 'fg.muted', 'Not done: '] as const);
  return (
    <chakra.span display="inline-flex" color={color}>
      <Icon size={18} aria-hidden />
      <ScreenReaderOnly>{text}</ScreenReaderOnly>
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

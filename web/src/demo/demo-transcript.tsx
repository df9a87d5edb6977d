import { Box, Flex, Stack } from '@chakra-ui/react';
import { Bot, CircleCheck, User } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { clockText } from '../time/zoned';
import { Figures, Muted, ScreenReaderOnly, Text } from '../ui/text';
import { CALLER, type DemoStep } from './script';

/** What was said so far and what the agent looked up; the newest line stays in sight within its own frame. */
export function DemoTranscript({ steps }: { steps: readonly DemoStep[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const count = steps.length;
  useEffect(() => {
    if (frame.current && count > 0) frame.current.scrollTop = frame.current.scrollHeight;
  }, [count]);
  return (
    <Stack
      as="ol"
      ref={frame}
      gap="3"
      listStyleType="none"
      aria-label="Conversation"
      aria-live="polite"
      tabIndex={0}
      height={{ base: '24rem', lg: '35rem' }}
      overflowY="auto"
      pe="2"
      position="relative"
    >
      {steps.map((step) =>
        step.kind === 'said' ? <Said key={step.atMs} {...step} /> : <Used key={step.atMs} {...step} />,
      )}
    </Stack>
  );
}

function Said({ by, text, atMs }: Extract<DemoStep, { kind: 'said' }>) {
  const agent = by === 'agent';
  const Icon = agent ? Bot : User;
  return (
    <Flex
      as="li"
      gap="3"
      direction={agent ? 'row' : 'row-reverse'}
      align="flex-end"
      animation="arrive 0.25s ease-out"
    >
      <Flex
        flexShrink="0"
        width="32px"
        height="32px"
        borderRadius="full"
        align="center"
        justify="center"
        bg={agent ? 'brand.subtle' : 'info.subtle'}
        color={agent ? 'brand.fg' : 'info.fg'}
      >
        <Icon size={18} aria-hidden />
      </Flex>
      <Stack gap="0.5" maxWidth="80%" align={agent ? 'flex-start' : 'flex-end'}>
        <Box px="4" py="2.5" borderRadius="14px" bg={agent ? 'brand.subtle' : 'quiet.subtle'}>
          <ScreenReaderOnly>{agent ? 'Agent: ' : `${CALLER}: `}</ScreenReaderOnly>
          <Text>{text}</Text>
        </Box>
        <Figures fontSize="0.8125rem" color="fg.muted" px="1">
          {agent ? 'Agent' : CALLER} · {clockText(atMs)}
        </Figures>
      </Stack>
    </Flex>
  );
}

function Used({ what, asked, answered, ms }: Extract<DemoStep, { kind: 'tool' }>) {
  return (
    <Box
      as="li"
      ms={{ base: '0', sm: '11' }}
      px="4"
      py="3"
      border="1px solid"
      borderColor="line"
      borderRadius="button"
      bg="bg.sunken"
      animation="arrive 0.25s ease-out"
    >
      <Flex align="center" gap="2" wrap="wrap">
        <Box color="good.fg">
          <CircleCheck size={18} aria-hidden />
        </Box>
        <Text fontWeight="600">{what}</Text>
        <Figures marginInlineStart="auto" fontSize="0.8125rem" color="fg.muted">
          {ms} ms
        </Figures>
      </Flex>
      <Muted fontSize="0.875rem">Asked: {asked}</Muted>
      <Muted fontSize="0.875rem">Answered: {answered}</Muted>
    </Box>
  );
}

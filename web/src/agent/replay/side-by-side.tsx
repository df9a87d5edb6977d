import { Box, Flex, Grid, Stack } from '@chakra-ui/react';
import { Bot, User } from 'lucide-react';
import type { ReactNode } from 'react';
import { ToolLine, TurnLine } from '../../calls/conversation-lines';
import type { Entry } from '../../calls/timeline';
import type { Turn } from '../../gen/frontdesk/telemetry/v1/call_pb';
import { clockText } from '../../time/zoned';
import { Badge, type Tone } from '../../ui/badge';
import { Spinner } from '../../ui/spinner';
import { Figures, H3, Muted, ScreenReaderOnly, Text } from '../../ui/text';
import type { Difference, Exchange } from './exchanges';

const [THEN, NOW] = ['What happened', 'What the draft does'];

const DIFFERENCES: Record<Difference, { tone: Tone; text: string }> = {
  none: { tone: 'quiet', text: 'The same' },
  words: { tone: 'info', text: 'Other words' },
  answers: { tone: 'warn', text: 'Another result' },
  deeds: { tone: 'warn', text: 'Does something else' },
};

const GAP = { base: '4', lg: '6' };

/** Below the page's header, where the screen is high enough for both. */
const STAYS = { '@media (min-height: 30rem)': { position: 'sticky', top: '60px', zIndex: '1' } };

type SideBySideProps = {
  exchanges: readonly Exchange[];
  caller: string;
  /** Undefined before a replay has begun. */
  state: 'running' | 'over' | undefined;
};

/** What the caller said, once, and below it what the agent made of it: then, and now. */
export function SideBySide({ exchanges, caller, state }: SideBySideProps) {
  const columns = { base: 'minmax(0, 1fr)', md: state ? 'repeat(2, minmax(0, 1fr))' : 'minmax(0, 1fr)' };
  const reached = exchanges.filter(({ draft }) => draft).length;
  return (
    <Box>
      <Grid
        aria-hidden
        display={{ base: 'none', md: 'grid' }}
        gap={GAP}
        gridTemplateColumns={columns}
        py="2"
        bg="bg.card"
        borderBottom="1px solid"
        borderColor="line"
        css={STAYS}
      >
        <H3 as="p">{THEN}</H3>
        {state && <H3 as="p">{NOW}</H3>}
      </Grid>
      <Stack as="ol" gap="6" pt="4" listStyleType="none" aria-label="Exchanges of the call">
        {exchanges.map(({ key, said, past, draft, difference }, index) => (
          <Stack as="li" key={key} gap="3">
            <Said said={said} caller={caller} difference={difference} />
            <Grid gap={GAP} alignItems="start" gridTemplateColumns={columns}>
              <Side title={THEN}>
                <Lines entries={past} caller={caller} none="The agent said nothing here." />
              </Side>
              {state && (
                <Side title={NOW}>
                  {draft ? (
                    <Lines
                      entries={draft}
                      caller={caller}
                      none={difference ? 'The draft says nothing here.' : ''}
                    />
                  ) : (
                    state === 'over' && <Muted>Not reached.</Muted>
                  )}
                  {state === 'running' && index === reached - 1 && (
                    <Flex align="center" gap="2" pt="2">
                      <Spinner size="16px" />
                      <Muted>The draft answers …</Muted>
                    </Flex>
                  )}
                </Side>
              )}
            </Grid>
          </Stack>
        ))}
      </Stack>
    </Box>
  );
}

type SaidProps = { said: Turn | undefined; caller: string; difference: Difference | undefined };

/** What both answers are to, and whether they differ. */
function Said({ said, caller, difference }: SaidProps) {
  const Icon = said ? User : Bot;
  return (
    <Flex
      gap="2.5"
      rowGap="1"
      px="3.5"
      py="2.5"
      align="baseline"
      borderRadius="button"
      bg="bg.sunken"
      wrap={{ base: 'wrap', sm: 'nowrap' }}
    >
      <Box as="span" alignSelf="flex-start" pt="1" color="fg.muted" aria-hidden>
        <Icon size={16} />
      </Box>
      <Box flex="1 1 12rem" minWidth="0">
        {said ? (
          <Text fontWeight="600" whiteSpace="pre-line">
            <ScreenReaderOnly>{caller}: </ScreenReaderOnly>
            {said.text}
          </Text>
        ) : (
          <Text fontWeight="600">The agent answers the phone</Text>
        )}
        {said && (
          <Figures fontSize="0.8125rem" color="fg.muted">
            {caller}
            {said.offsetMs >= 0 && ` · ${clockText(said.offsetMs)}`}
          </Figures>
        )}
      </Box>
      {difference && <Badge tone={DIFFERENCES[difference].tone}>{DIFFERENCES[difference].text}</Badge>}
    </Flex>
  );
}

function Side({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box role="group" aria-label={title} minWidth="0">
      <Muted hideFrom="md" pb="2" fontWeight="600" aria-hidden>
        {title}
      </Muted>
      {children}
    </Box>
  );
}

function Lines({ entries, caller, none }: { entries: Entry[]; caller: string; none: string }) {
  if (entries.length === 0) return none && <Muted>{none}</Muted>;
  return (
    <Stack as="ol" gap="3" listStyleType="none">
      {entries.map((entry) =>
        entry.kind === 'turn' ? (
          <TurnLine key={entry.key} turn={entry.turn} caller={caller} bare />
        ) : (
          <ToolLine key={entry.key} tool={entry.tool} bare />
        ),
      )}
    </Stack>
  );
}

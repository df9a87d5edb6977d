import { Box, chakra, Flex, Grid } from '@chakra-ui/react';
import { minuteText } from '../day/opening';
import { ScreenReaderOnly } from '../ui/text';
import { BOOKED, CLOSES, type DayMark, type DemoBlock, OPENS, TEAM } from './script';

/** Height of an hour. */
const HOUR_PX = 66;
const STATES = {
  offered: 'Nothing is held yet.',
  held: 'Held for the caller.',
  booked: 'Booked by the call.',
};

const heightOf = (minutes: number) => `${(minutes / 60) * HOUR_PX}px`;

/** A day of three employees; what the call looks at, holds and books shows up on it. */
export function DemoDay({ mark }: { mark: DayMark | undefined }) {
  const hours = Array.from({ length: (CLOSES - OPENS) / 60 }, (_, index) => OPENS + index * 60);
  return (
    <Box>
      <ScreenReaderOnly role="status">{mark ? statusText(mark) : ''}</ScreenReaderOnly>
      <Grid gridTemplateColumns={`3.25rem repeat(${TEAM.length}, minmax(0, 1fr))`} columnGap="2">
        <span />
        {TEAM.map((name) => (
          <Box key={name} textAlign="center" fontWeight="600" pb="2">
            {name}
          </Box>
        ))}
        <Box position="relative" height={heightOf(CLOSES - OPENS)} aria-hidden>
          {hours.map((minute) => (
            <Box
              key={minute}
              position="absolute"
              top={heightOf(minute - OPENS)}
              insetEnd="1"
              fontSize="0.75rem"
              color="fg.muted"
              transform={minute === OPENS ? undefined : 'translateY(-50%)'}
            >
              {minuteText(minute)}
            </Box>
          ))}
        </Box>
        {TEAM.map((employee) => (
          <Box
            as="ul"
            key={employee}
            aria-label={`Visits with ${employee}`}
            listStyleType="none"
            position="relative"
            height={heightOf(CLOSES - OPENS)}
            borderRadius="button"
            bg="bg.sunken"
            backgroundImage="linear-gradient(to bottom, {colors.line} 1px, transparent 1px)"
            backgroundSize={`100% ${HOUR_PX}px`}
            overflow="hidden"
          >
            {BOOKED.filter((block) => block.employee === employee).map((block) => (
              <Visit key={block.key} block={block} />
            ))}
            <Marked employee={employee} mark={mark} />
          </Box>
        ))}
      </Grid>
    </Box>
  );
}

function statusText(mark: DayMark): string {
  if (mark.kind === 'offered') {
    const times = mark.starts.map(({ employee, from }) => `${minuteText(from)} with ${employee}`).join(', ');
    return `Free on the day: ${times}. ${STATES.offered}`;
  }
  const { employee, from, title, service } = mark.block;
  return `${title}, ${service}, ${minuteText(from)} with ${employee}. ${STATES[mark.kind]}`;
}

const Place = chakra('li', {
  base: {
    position: 'absolute',
    insetInline: '3px',
    borderRadius: '8px',
    px: { base: '1', sm: '2' },
    py: '1',
    fontSize: '0.8125rem',
    lineHeight: '1.3',
    overflow: 'hidden',
  },
});

function Visit({ block }: { block: DemoBlock }) {
  return (
    <Place
      top={heightOf(block.from - OPENS)}
      height={`calc(${heightOf(block.to - block.from)} - 3px)`}
      bg="bg.card"
      border="1px solid"
      borderColor="line.strong"
    >
      <Words block={block} />
    </Place>
  );
}

function Words({ block: { from, to, title, service } }: { block: DemoBlock }) {
  return (
    <>
      {/* Whole words in a phone's narrow column, as far as the block is high. */}
      <chakra.span display="block" fontWeight="600" overflowWrap="anywhere">
        {title}
      </chakra.span>
      <chakra.span display="block" overflowWrap="anywhere">
        {service}
      </chakra.span>
      <ScreenReaderOnly>
        , {minuteText(from)} to {minuteText(to)}
      </ScreenReaderOnly>
    </>
  );
}

function Marked({ employee, mark }: { employee: string; mark: DayMark | undefined }) {
  if (!mark) return null;
  if (mark.kind === 'offered') {
    return mark.starts
      .filter((start) => start.employee === employee)
      .map(({ from }) => (
        <Place
          key={from}
          animation="arrive 0.25s ease-out"
          top={heightOf(from - OPENS)}
          height={`calc(${heightOf(45)} - 3px)`}
          border="2px dashed"
          borderColor="brand.fg"
          color="brand.fg"
          bg="brand.subtle"
          fontWeight="600"
        >
          <Flex height="100%" align="center" justify="center">
            {minuteText(from)} free
          </Flex>
        </Place>
      ));
  }
  if (mark.block.employee !== employee) return null;
  const held = mark.kind === 'held';
  return (
    <Place
      key={mark.kind}
      animation="arrive 0.25s ease-out"
      top={heightOf(mark.block.from - OPENS)}
      height={`calc(${heightOf(mark.block.to - mark.block.from)} - 3px)`}
      border="2px solid"
      borderStyle={held ? 'dashed' : 'solid'}
      borderColor={held ? 'warn.fg' : 'good.fg'}
      bg={held ? 'warn.subtle' : 'good.subtle'}
      color={held ? 'warn.fg' : 'good.fg'}
    >
      {held ? (
        <Flex height="100%" align="center" justify="center" fontWeight="600">
          Held for {mark.block.title}
        </Flex>
      ) : (
        <Words block={mark.block} />
      )}
    </Place>
  );
}

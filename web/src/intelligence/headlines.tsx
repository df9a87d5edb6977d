import { chakra, Flex, Grid } from '@chakra-ui/react';
import { ArrowDown, ArrowUp, Equal } from 'lucide-react';
import { TextLink } from '../layout/links';
import { Surface } from '../ui/card';
import { moneyText } from '../ui/money';
import { Muted, ScreenReaderOnly } from '../ui/text';
import { changeOf } from './compare';
import { currenciesOf, kept, noShowRate, overrun, type Tally, worthIn } from './figures';
import { count, hours, minutesMore, percent } from './wording';

/** All services together in some dates, and their unmet demand. */
type Whole = { tally: Tally; searches: number };

type HeadlinesProps = { now: Whole; before: Whole | undefined };

/** What matters most, and how it was before. */
export function Headlines({ now, before }: HeadlinesProps) {
  const { tally } = now;
  const money = (currency: string) => (minor: number) => moneyText(minor, currency);
  return (
    <Grid
      as="dl"
      gap="3"
      gridTemplateColumns={{
        base: 'repeat(2, minmax(0, 1fr))',
        md: 'repeat(3, minmax(0, 1fr))',
        xl: HEADLINE_COLUMNS,
      }}
    >
      <Headline
        name="Services booked"
        now={tally.booked}
        before={before?.tally.booked}
        text={count}
        detail={`${count(tally.cancelled)} cancelled`}
      />
      {currenciesOf([tally]).map((currency) => (
        <Headline
          key={currency}
          name="Booked value"
          now={worthIn(tally, currency)}
          before={before && worthIn(before.tally, currency)}
          text={money(currency)}
          detail="without cancelled visits"
        />
      ))}
      <Headline
        name="Time booked"
        now={tally.plannedMinutes}
        before={before?.tally.plannedMinutes}
        text={hours}
        detail="by planned lengths"
      />
      <Headline
        name="No-shows"
        now={noShowRate(tally)}
        before={before && noShowRate(before.tally)}
        text={percent}
        points
        detail={`${count(tally.noShows)} of ${count(kept(tally))}`}
      />
      <Headline
        name="Compared with plan"
        now={overrun(tally)}
        before={before && overrun(before.tally)}
        text={minutesMore}
        points
        detail={
          tally.measured.visits > 0
            ? `per visit, ${count(tally.measured.visits)} timed`
            : 'no visit was timed'
        }
      />
      <Headline
        name="Unmet demand"
        now={now.searches}
        before={before?.searches}
        text={count}
        detail="searches without an offer"
      />
    </Grid>
  );
}

/** Wide enough for "£16,713.50" in one line. */
const HEADLINE_COLUMNS = 'repeat(auto-fit, minmax(10.5rem, 1fr))';

/** Beyond this, what it was before says more than a percentage. */
const MOST_PERCENT = 999;

type HeadlineProps = {
  name: string;
  /** The records behind the number. */
  to?: string | undefined;
  now: number | undefined;
  before: number | undefined;
  text: (value: number) => string;
  /** A rate or a difference: a percentage of it would say nothing. */
  points?: boolean;
  detail: string;
};

/** A number, what it counts, and how it was before. */
export function Headline({ name, to, now, before, text, points = false, detail }: HeadlineProps) {
  const change = changeOf(now, before);
  // What reads the same is the same.
  const same = now !== undefined && before !== undefined && (now === before || text(now) === text(before));
  return (
    <Surface p="4">
      <chakra.dt fontSize="0.875rem" color="fg.muted">
        {name}
      </chakra.dt>
      <chakra.dd>
        <chakra.span
          display="block"
          fontSize={{ base: '1.25rem', sm: '1.5rem' }}
          fontWeight="650"
          letterSpacing="-0.02em"
          lineHeight="1.25"
          fontVariantNumeric="tabular-nums"
          overflowWrap="anywhere"
        >
          {now === undefined ? '–' : to ? <TextLink to={to}>{text(now)}</TextLink> : text(now)}
        </chakra.span>
        <Muted fontSize="0.8125rem">{detail}</Muted>
        {change && before !== undefined && (
          <Flex align="center" columnGap="1" wrap="wrap" pt="1.5" fontSize="0.8125rem" fontWeight="550">
            <Direction direction={same ? 'same' : change.direction} />
            {!same && !points && change.percent !== undefined && change.percent <= MOST_PERCENT && (
              <chakra.span whiteSpace="nowrap">{change.percent} %</chakra.span>
            )}
            <chakra.span color="fg.muted" fontWeight="400" whiteSpace="nowrap">
              {same ? 'as before' : before === 0 && !points ? 'none before' : `from ${text(before)}`}
            </chakra.span>
          </Flex>
        )}
      </chakra.dd>
    </Surface>
  );
}

function Direction({ direction }: { direction: 'up' | 'down' | 'same' }) {
  const Icon = { up: ArrowUp, down: ArrowDown, same: Equal }[direction];
  return (
    <>
      <Icon size={14} aria-hidden />
      {direction !== 'same' && <ScreenReaderOnly>{direction} </ScreenReaderOnly>}
    </>
  );
}

import { Grid } from '@chakra-ui/react';
import { ANSWERED, LOST } from '../calls/filter';
import { latencyText } from '../calls/timeline';
import { CallOutcome } from '../gen/frontdesk/telemetry/v1/call_pb';
import type { CallFigures } from '../gen/frontdesk/telemetry/v1/insight_pb';
import { Headline } from '../intelligence/headlines';
import { count, percent } from '../intelligence/wording';
import { moneyText } from '../ui/money';
import type { Parts } from './parts';
import { recordsOf } from './records';
import { shareOf } from './shares';

const BESIDE = { base: 2, md: 3, lg: 4 };

/** How many stand beside each other. */
const COLUMNS = {
  base: `repeat(${BESIDE.base}, minmax(0, 1fr))`,
  md: `repeat(${BESIDE.md}, minmax(0, 1fr))`,
  lg: `repeat(${BESIDE.lg}, minmax(0, 1fr))`,
};

/** There are six or more: the last one takes a row that it has for itself whole. */
const LAST = {
  [`& > :last-of-type:nth-of-type(${BESIDE.base}n + 1)`]: { gridColumn: { base: '1 / -1', md: 'auto' } },
  [`& > :last-of-type:nth-of-type(${BESIDE.md}n + 1)`]: { gridColumn: { md: '1 / -1', lg: 'auto' } },
  [`& > :last-of-type:nth-of-type(${BESIDE.lg}n + 1)`]: { gridColumn: { lg: '1 / -1' } },
};

/** What matters most, and how it was before. */
export function Headlines({ businessId, dates, told, figures, previous }: Parts & { previous: CallFigures }) {
  const number = (value: bigint) => count(Number(value));
  const byTeam = recordsOf(businessId, dates, { state: 'ended', team: 'yes' });
  const answered = recordsOf(businessId, dates, { state: 'ended', outcomes: ANSWERED });
  return (
    <Grid as="dl" gap="3" gridTemplateColumns={COLUMNS} css={LAST}>
      <Headline
        name="Calls"
        to={recordsOf(businessId, dates)}
        now={Number(figures.calls)}
        before={Number(previous.calls)}
        text={count}
        detail={
          figures.calls > figures.ended ? `${number(figures.calls - figures.ended)} not ended` : 'all ended'
        }
      />
      <Headline
        name="Answer rate"
        to={answered}
        now={shareOf(figures.answered, figures.ended)}
        before={shareOf(previous.answered, previous.ended)}
        text={percent}
        points
        detail={answeredText(figures)}
      />
      <Headline
        name="Booking conversion"
        to={recordsOf(businessId, dates, { wanted: true })}
        now={shareOf(figures.booked, figures.wantedBooking)}
        before={shareOf(previous.booked, previous.wantedBooking)}
        text={percent}
        points
        detail={`the agent booked ${number(figures.booked)} of ${number(figures.wantedBooking)} calls that looked for a booking`}
      />
      <Headline
        name="Booked by the team"
        to={byTeam}
        now={Number(figures.bookedByTeam)}
        before={Number(previous.bookedByTeam)}
        text={count}
        detail="ended calls from which a person booked a visit, during them or afterwards"
      />
      {currenciesOf(figures.bookedValue, previous.bookedValue).map((currency) => (
        <Headline
          key={`booked ${currency}`}
          name="Value booked"
          to={recordsOf(businessId, dates, { outcomes: [CallOutcome.BOOKED] })}
          now={worth(figures.bookedValue, currency)}
          before={worth(previous.bookedValue, currency)}
          text={(minor) => moneyText(minor, currency)}
          detail="of visits that the agent booked in these calls, without those cancelled since"
        />
      ))}
      {currenciesOf(figures.teamValue, previous.teamValue).map((currency) => (
        <Headline
          key={`team ${currency}`}
          name="Value booked by the team"
          to={recordsOf(businessId, dates, { team: 'yes' })}
          now={worth(figures.teamValue, currency)}
          before={worth(previous.teamValue, currency)}
          text={(minor) => moneyText(minor, currency)}
          detail="of visits that people booked from these calls, without those cancelled since"
        />
      ))}
      {!told.pricesUnknown &&
        currenciesOf(figures.lostValue, previous.lostValue).map((currency) => (
          <Headline
            key={`lost ${currency}`}
            name="Value lost"
            to={recordsOf(businessId, dates, LOST)}
            now={worth(figures.lostValue, currency)}
            before={worth(previous.lostValue, currency)}
            text={(minor) => moneyText(minor, currency)}
            detail="at today’s list prices: services looked for in calls without a booking"
          />
        ))}
      <Headline
        name="Look-up time"
        to={figures.latency && recordsOf(businessId, dates, { lookupMs: figures.latency.p95Ms })}
        now={figures.latency && figures.latency.lookups > 0n ? figures.latency.p95Ms : undefined}
        before={previous.latency && previous.latency.lookups > 0n ? previous.latency.p95Ms : undefined}
        text={latencyText}
        points
        detail="95 % of the agent’s look-ups took at most this long"
      />
    </Grid>
  );
}

function answeredText({ answered, ended }: CallFigures): string {
  const of = `${count(Number(answered))} of ${count(Number(ended))} ended calls`;
  return answered < ended ? `${of}; in the others the caller hung up without a word` : of;
}

type Amounts = CallFigures['bookedValue'];

/** Every currency of these; amounts of two are never added. */
function currenciesOf(...amounts: Amounts[]): string[] {
  return [...new Set(amounts.flat().map(({ currency }) => currency))].sort();
}

const worth = (amounts: Amounts, currency: string) =>
  Number(amounts.find((amount) => amount.currency === currency)?.minor ?? 0n);

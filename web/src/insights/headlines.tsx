import { Grid } from '@chakra-ui/react';
import { ANSWERED, UNBOOKED } from '../calls/filter';
import { latencyText } from '../calls/timeline';
import { CallOutcome } from '../gen/frontdesk/telemetry/v1/call_pb';
import type { CallFigures } from '../gen/frontdesk/telemetry/v1/insight_pb';
import { HEADLINE_COLUMNS, Headline } from '../intelligence/headlines';
import { count, percent } from '../intelligence/wording';
import { moneyText } from '../ui/money';
import type { Parts } from './parts';
import { recordsOf } from './records';
import { shareOf } from './shares';

/** What matters most, and how it was before. */
export function Headlines({ businessId, dates, told, figures, previous }: Parts & { previous: CallFigures }) {
  const number = (value: bigint) => count(Number(value));
  const answered = recordsOf(businessId, dates, { state: 'ended', outcomes: ANSWERED });
  return (
    <Grid as="dl" gap="3" gridTemplateColumns={{ base: 'repeat(2, minmax(0, 1fr))', md: HEADLINE_COLUMNS }}>
      <Headline
        name="Calls"
        to={recordsOf(businessId, dates)}
        now={Number(figures.calls)}
        before={Number(previous.calls)}
        text={count}
        detail={
          figures.calls > figures.ended ? `${number(figures.calls - figures.ended)} on the line` : 'all ended'
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
        detail={`${number(figures.booked)} of ${number(figures.wantedBooking)} calls that looked for a booking`}
      />
      {currenciesOf(figures.bookedValue, previous.bookedValue).map((currency) => (
        <Headline
          key={`booked ${currency}`}
          name="Value booked"
          to={recordsOf(businessId, dates, { outcomes: [CallOutcome.BOOKED] })}
          now={worth(figures.bookedValue, currency)}
          before={worth(previous.bookedValue, currency)}
          text={(minor) => moneyText(minor, currency)}
          detail="of visits booked in these calls, without those cancelled since"
        />
      ))}
      {!told.pricesUnknown &&
        currenciesOf(figures.lostValue, previous.lostValue).map((currency) => (
          <Headline
            key={`lost ${currency}`}
            name="Value lost"
            to={recordsOf(businessId, dates, { wanted: true, outcomes: UNBOOKED })}
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

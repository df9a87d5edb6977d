import { Grid, Stack } from '@chakra-ui/react';
import { fetchedAhead } from '../api/fetched-ahead';
import { outcomeName } from '../business/call-outcome';
import { ANY_LOOKUP, REASON_TEXT } from '../calls/filter';
import { latencyText } from '../calls/timeline';
import { Bars, Key, Legend } from '../intelligence/bars';
import { count, percent } from '../intelligence/wording';
import { Card, Surface } from '../ui/card';
import { Fact, Facts } from '../ui/facts';
import { moneyText } from '../ui/money';
import { RowsSkeleton } from '../ui/skeleton';
import { Muted } from '../ui/text';
import { LookupsLink } from './lookups-link';
import type { Parts } from './parts';
import { recordsOf } from './records';
import { oftenFirst, shareOf } from './shares';

/** Its library is fetched once the page is shown, and with this page alone. */
const Columns = fetchedAhead(
  () => import('./columns').then(({ Columns }) => Columns),
  <Surface minHeight="23rem">
    <RowsSkeleton rows={5} label="Loading the charts" />
  </Surface>,
);

/** A chart per figure. */
export function Figures(parts: Parts) {
  return (
    <Stack gap="6">
      <Columns {...parts} />
      <Grid
        gap="6"
        alignItems="start"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }}
      >
        {/* Two columns of their own, so that a short card leaves no gap above the next one. */}
        <Stack gap="6">
          <Card title="Outcomes">
            <Outcomes {...parts} />
          </Card>
          <Card title="Why there was no booking">
            <Missed {...parts} />
          </Card>
        </Stack>
        <Stack gap="6">
          <Card title="What callers asked for">
            <Demand {...parts} />
          </Card>
          <Card title="Agent response times">
            <Latency {...parts} />
          </Card>
        </Stack>
      </Grid>
    </Stack>
  );
}

function Outcomes({ businessId, dates, figures }: Parts) {
  if (figures.outcomes.length === 0) return <Muted>No call has ended yet.</Muted>;
  return (
    <Bars
      label="Ended calls by outcome"
      bars={oftenFirst(figures.outcomes).map(({ outcome, calls }) => ({
        key: String(outcome),
        name: outcomeName(outcome),
        parts: [['main', Number(calls)]],
        value: count(Number(calls)),
        to: recordsOf(businessId, dates, { outcomes: [outcome] }),
        detail: `${percent(shareOf(calls, figures.ended) ?? 0)} of ended calls`,
      }))}
    />
  );
}

function Missed({ businessId, dates, figures }: Parts) {
  if (figures.wantedBooking === 0n) return <Muted>No booking was looked for in a call that has ended.</Muted>;
  if (figures.missed.length === 0) return <Muted>Every caller who looked for a booking got one.</Muted>;
  return (
    <Bars
      label="Calls without the booking that was looked for, by reason"
      bars={oftenFirst(figures.missed).map(({ reason, calls }) => ({
        key: String(reason),
        name: REASON_TEXT[reason],
        parts: [['main', Number(calls)]],
        value: count(Number(calls)),
        to: recordsOf(businessId, dates, { reason }),
        detail: `${percent(shareOf(calls, figures.wantedBooking) ?? 0)} of those who looked for one`,
      }))}
    />
  );
}

function Demand({ businessId, dates, told }: Parts) {
  if (told.services.length === 0) return <Muted>No service was looked for in these calls.</Muted>;
  return (
    <>
      <Legend>
        <Key fill="main">Booked</Key>
        <Key fill="warn">Looked for, nothing booked</Key>
        <Key fill="quiet">Neither</Key>
      </Legend>
      <Bars
        label="Calls in which each service was looked for"
        bars={told.services.map((service) => {
          const [asked, booked, missed] = [service.asked, service.booked, service.missed].map(Number) as [
            number,
            number,
            number,
          ];
          return {
            key: service.serviceId,
            name: serviceName(service.serviceName, told.pricesUnknown),
            parts: [
              ['main', booked],
              ['warn', missed],
              ['quiet', Math.max(0, asked - booked - missed)],
            ],
            value: `${count(asked)} ${asked === 1 ? 'call' : 'calls'}`,
            to: recordsOf(businessId, dates, { service: service.serviceId }),
            detail: `${count(booked)} booked${lostText(missed, service.listPrice)}`,
          };
        })}
      />
      {told.pricesUnknown && (
        <Muted pt="3">Names and prices of services can’t be read right now, nor what was lost.</Muted>
      )}
    </>
  );
}

type Price = Parts['told']['services'][number]['listPrice'];

/** ", £135 lost". */
function lostText(missed: number, price: Price): string {
  return missed > 0 && price ? `, ${moneyText(missed * Number(price.minor), price.currency)} lost` : '';
}

export function serviceName(name: string, unknown: boolean): string {
  return name || (unknown ? 'A service' : 'A service that is gone');
}

function Latency({ businessId, dates, figures: { latency } }: Parts) {
  if (!latency || latency.lookups === 0n) return <Muted>The agent looked nothing up in these calls.</Muted>;
  const calls = (lookupMs: number, text: string) => (
    <LookupsLink {...{ businessId, dates, lookupMs }}>{text}</LookupsLink>
  );
  const { medianMs, p95Ms, p99Ms } = latency;
  return (
    <Facts>
      <Fact name="Look-ups">{calls(ANY_LOOKUP, count(Number(latency.lookups)))}</Fact>
      <Fact name="Half of them took at most">{calls(medianMs, latencyText(medianMs))}</Fact>
      <Fact name="95 % took at most">{calls(p95Ms, latencyText(p95Ms))}</Fact>
      <Fact name="99 % took at most">{calls(p99Ms, latencyText(p99Ms))}</Fact>
    </Facts>
  );
}

import { chakra, Grid, Stack } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { outcomeName } from '../business/call-outcome';
import { ANSWERED, ANY_LOOKUP, type CallWish, LOST, REASON_TEXT } from '../calls/filter';
import { latencyText } from '../calls/timeline';
import type { Amount } from '../gen/frontdesk/scheduling/v1/intelligence_pb';
import { CallOutcome } from '../gen/frontdesk/telemetry/v1/call_pb';
import type { PartFigures } from '../gen/frontdesk/telemetry/v1/insight_pb';
import { count, percent } from '../intelligence/wording';
import { TextLink } from '../layout/links';
import { shortDayText } from '../time/local-day';
import { Card } from '../ui/card';
import { moneyText } from '../ui/money';
import { Table } from '../ui/table';
import { Muted } from '../ui/text';
import { serviceName } from './figures';
import { LookupsLink } from './lookups-link';
import type { Parts } from './parts';
import { recordsOf } from './records';
import { hourText, shareOf } from './shares';

const PERCENTILES = ['Half took at most', '95 %', '99 %'] as const;

/** The same as the charts, number for number; each opens the calls behind it. */
export function Tables(parts: Parts) {
  const { businessId, dates, told, figures } = parts;
  const { latency } = figures;
  return (
    <Stack gap="6">
      <Grid
        gap="6"
        alignItems="start"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }}
      >
        <Card title="Calls by day" flush>
          <Clock
            label="Calls by day"
            head="Day"
            rows={told.days.map(({ date, figures }) => [
              shortDayText(date),
              (wish) => recordsOf(businessId, { first: date, last: date }, wish),
              figures,
            ])}
          />
        </Card>
        <Card title="Calls by hour of the day" flush>
          <Clock
            label="Calls by hour of the day"
            head="Hour"
            rows={told.hours.map(({ hour, figures }) => [
              hourText(hour),
              (wish) => recordsOf(businessId, dates, { hour, ...wish }),
              figures,
            ])}
          />
        </Card>
        <Card title="Outcomes" flush>
          <Counts
            label="Ended calls by outcome"
            heads={['Outcome', 'Calls', 'Of ended calls']}
            none="No call has ended yet."
            rows={figures.outcomes.map(({ outcome, calls }) => [
              outcomeName(outcome),
              recordsOf(businessId, dates, { outcomes: [outcome] }),
              Number(calls),
              percent(shareOf(calls, figures.ended) ?? 0),
            ])}
          />
        </Card>
        <Card title="Why there was no booking" flush>
          <Counts
            label="Calls without the booking that was looked for, by reason"
            heads={['Reason', 'Calls', 'Of those who looked for one']}
            none="Every caller who looked for a booking got one."
            rows={figures.missed.map(({ reason, calls }) => [
              REASON_TEXT[reason],
              recordsOf(businessId, dates, { reason }),
              Number(calls),
              percent(shareOf(calls, figures.wantedBooking) ?? 0),
            ])}
          />
        </Card>
      </Grid>
      <Card title="What callers asked for" flush>
        <Services {...parts} />
      </Card>
      {latency && latency.lookups > 0n && (
        <Card title="Agent response times" flush>
          <Table label="How long the agent’s look-ups took">
            <thead>
              <tr>
                <th scope="col">Look-ups</th>
                {PERCENTILES.map((name) => (
                  <Head key={name}>{name}</Head>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">
                  <LookupsLink {...{ businessId, dates }} lookupMs={ANY_LOOKUP}>
                    {count(Number(latency.lookups))}
                  </LookupsLink>
                </th>
                {[latency.medianMs, latency.p95Ms, latency.p99Ms].map((lookupMs, place) => (
                  <td key={PERCENTILES[place]} data-figures>
                    <LookupsLink {...{ businessId, dates, lookupMs }}>{latencyText(lookupMs)}</LookupsLink>
                  </td>
                ))}
              </tr>
            </tbody>
          </Table>
        </Card>
      )}
    </Stack>
  );
}

function Head({ children }: { children: ReactNode }) {
  return (
    <th scope="col" data-figures>
      {children}
    </th>
  );
}

type ClockProps = {
  label: string;
  head: string;
  rows: (readonly [name: string, to: Address, figures: PartFigures | undefined])[];
};

/** Where the calls of a row are that are wanted. */
type Address = (wish: Partial<CallWish>) => string;

function Linked({ of, to }: { of: bigint | undefined; to: string }) {
  return <td data-figures>{of ? <TextLink to={to}>{count(Number(of))}</TextLink> : 0}</td>;
}

function Clock({ label, head, rows }: ClockProps) {
  return (
    <Table label={label} minWidth="26rem" wordy>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <Head>Calls</Head>
          <Head>Answered</Head>
          <Head>Looked for a booking</Head>
          <Head>Booked</Head>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, to, figures]) => (
          <tr key={name}>
            <chakra.th scope="row" whiteSpace="nowrap">
              {name}
            </chakra.th>
            <Linked of={figures?.calls} to={to({})} />
            <Linked of={figures?.answered} to={to({ outcomes: ANSWERED })} />
            <Linked of={figures?.wantedBooking} to={to({ wanted: true })} />
            <Linked of={figures?.booked} to={to({ outcomes: [CallOutcome.BOOKED] })} />
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

type CountsProps = {
  label: string;
  heads: readonly [string, string, string];
  none: string;
  rows: (readonly [name: string, to: string, calls: number, share: string])[];
};

function Counts({ label, heads: [name, calls, share], none, rows }: CountsProps) {
  if (rows.length === 0)
    return (
      <Muted px={{ base: '4', sm: '6' }} pb="4">
        {none}
      </Muted>
    );
  return (
    <Table label={label}>
      <thead>
        <tr>
          <th scope="col">{name}</th>
          <Head>{calls}</Head>
          <Head>{share}</Head>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, to, calls, share]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td data-figures>
              <TextLink to={to}>{count(calls)}</TextLink>
            </td>
            <td data-figures>{share}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

type LostProps = { missed: bigint; price: Amount | undefined; to: string };

/** What the calls without a booking would have brought. */
function Lost({ missed, price, to }: LostProps) {
  const text = price ? moneyText(Number(missed * price.minor), price.currency) : 'not known';
  return <td data-figures>{price && missed > 0n ? <TextLink to={to}>{text}</TextLink> : text}</td>;
}

function Services({ businessId, dates, told }: Parts) {
  if (told.services.length === 0)
    return (
      <Muted px={{ base: '4', sm: '6' }} pb="4">
        No service was looked for in these calls.
      </Muted>
    );
  return (
    <Table label="Calls in which each service was looked for" minWidth="40rem">
      <thead>
        <tr>
          <th scope="col">Service</th>
          <Head>Looked for or booked</Head>
          <Head>Booked</Head>
          <Head>Nothing booked</Head>
          <Head>Lost at today’s price</Head>
        </tr>
      </thead>
      <tbody>
        {told.services.map(({ serviceId, serviceName: name, asked, booked, missed, listPrice }) => {
          const unbooked = recordsOf(businessId, dates, { service: serviceId, ...LOST });
          return (
            <tr key={serviceId}>
              <th scope="row">{serviceName(name, told.pricesUnknown)}</th>
              <td data-figures>
                <TextLink to={recordsOf(businessId, dates, { service: serviceId })}>
                  {count(Number(asked))}
                </TextLink>
              </td>
              <Linked
                of={booked}
                to={recordsOf(businessId, dates, { service: serviceId, serviceBooked: true })}
              />
              <Linked of={missed} to={unbooked} />
              <Lost missed={missed} price={listPrice} to={unbooked} />
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}

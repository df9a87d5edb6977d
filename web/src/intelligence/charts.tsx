import { Grid, Stack } from '@chakra-ui/react';
import { Card } from '../ui/card';
import { moneyText } from '../ui/money';
import { Muted } from '../ui/text';
import { type Bar, Bars, Key, Legend } from './bars';
import type { Demand } from './demand';
import {
  currenciesOf,
  type Figure,
  kept,
  noShowRate,
  overrun,
  peopleOf,
  share,
  totalOf,
  worthIn,
} from './figures';
import { count, daysText, minutesMore, percent, visitsText } from './wording';

type ChartsProps = {
  figures: Figure[];
  /** The same services in the dates before; undefined while that is not known. */
  before: Figure[] | undefined;
  /** "the 28 days before". */
  beforeText: string;
  demand: Demand[];
};

/** Below this a rate is drawn short: one no-show of twenty is no full bar. */
const LEAST_RATE = 0.1;

/** A bar chart per measure, of the services that have it. */
export function Charts({ figures, before, beforeText, demand }: ChartsProps) {
  const earlier = new Map(before?.map((figure) => [figure.id, figure]));
  const mark = before && <Key fill="mark">{beforeText}</Key>;
  return (
    <Grid
      gap="6"
      alignItems="start"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }}
    >
      <Stack gap="6">
        <Card title="Bookings">
          <Legend>
            <Key fill="main">Not cancelled</Key>
            <Key fill="warn">No-show</Key>
            <Key fill="quiet">Cancelled</Key>
            {mark}
          </Legend>
          <Bars
            label="Bookings of each service"
            bars={figures.filter(({ booked }) => booked > 0).map((figure) => booking(figure, earlier))}
          />
          <Unbooked figures={figures} />
        </Card>
        <Card title="Planned and actual length">
          <Lengths figures={figures} />
        </Card>
        <Card title="Booked again">
          <Rebooking figures={figures} />
        </Card>
      </Stack>
      <Stack gap="6">
        {currenciesOf(figures).map((currency) => (
          <Card key={currency} title="Booked value">
            <Legend>
              <Key fill="main">Of what was not cancelled</Key>
              {mark}
            </Legend>
            <Bars
              label={`Booked value of each service in ${currency}`}
              bars={worth(figures, earlier, currency)}
            />
          </Card>
        ))}
        <Card title="No-shows">
          <NoShows figures={figures} />
        </Card>
        <Card title="Who did it">
          <People figures={figures} />
        </Card>
        <Card title="Unmet demand">
          <Vain demand={demand} />
        </Card>
      </Stack>
    </Grid>
  );
}

function Vain({ demand }: { demand: Demand[] }) {
  if (demand.length === 0) return <Muted>Every search found an offer.</Muted>;
  return (
    <Bars
      label="Searches without an offer"
      bars={demand.map(({ key, name, when, searches }) => ({
        key,
        name,
        parts: [['main', searches]],
        value: searches === 1 ? '1 search' : `${count(searches)} searches`,
        detail: when,
      }))}
    />
  );
}

function booking(figure: Figure, earlier: ReadonlyMap<string, Figure>): Bar {
  const { id, name, booked, cancelled, noShows } = figure;
  const lost = [
    ...(cancelled > 0 ? [`${count(cancelled)} cancelled`] : []),
    ...(noShows > 0 ? [noShows === 1 ? '1 no-show' : `${count(noShows)} no-shows`] : []),
  ];
  return {
    key: id,
    name,
    parts: [
      ['main', kept(figure) - noShows],
      ['warn', noShows],
      ['quiet', cancelled],
    ],
    mark: earlier.get(id)?.booked,
    value: count(booked),
    detail: lost.join(', ') || undefined,
  };
}

/** Services in the catalogue without a booking in these dates. */
function Unbooked({ figures }: { figures: Figure[] }) {
  const names = figures.filter(({ booked, current }) => current && booked === 0).map(({ name }) => name);
  if (names.length === 0) return null;
  return <Muted pt="3">Not booked at all: {new Intl.ListFormat('en-GB').format(names)}.</Muted>;
}

function worth(figures: Figure[], earlier: ReadonlyMap<string, Figure>, currency: string): Bar[] {
  const all = worthIn(totalOf(figures), currency);
  return figures
    .map((figure) => ({ ...figure, minor: worthIn(figure, currency) }))
    .filter(({ minor }) => minor > 0)
    .sort((one, other) => other.minor - one.minor)
    .map(({ id, name, minor }) => {
      const before = earlier.get(id);
      return {
        key: id,
        name,
        parts: [['main', minor]],
        mark: before && worthIn(before, currency),
        value: moneyText(minor, currency),
        detail: `${Math.round((share(minor, all) ?? 0) * 100)} % of all`,
      };
    });
}

function Lengths({ figures }: { figures: Figure[] }) {
  const timed = figures.flatMap((figure) => {
    const more = overrun(figure);
    return more === undefined ? [] : [{ ...figure, more }];
  });
  if (timed.length === 0)
    return (
      <Muted>
        No visit in these dates was timed. Visits are timed when they are marked as started and completed.
      </Muted>
    );
  return (
    <>
      <Legend>
        <Key fill="main">Took on average</Key>
        <Key fill="mark">Planned</Key>
      </Legend>
      <Bars
        label="Planned and actual length of each service"
        bars={timed
          .sort((one, other) => Math.abs(other.more) - Math.abs(one.more))
          .map(({ id, name, more, measured: { visits, planned, actual } }) => ({
            key: id,
            name,
            parts: [['main', actual / visits]],
            mark: planned / visits,
            value: `${Math.round(actual / visits)} of ${Math.round(planned / visits)} min`,
            detail: `${minutesMore(more)}, ${visitsText(visits)}`,
          }))}
      />
    </>
  );
}

function NoShows({ figures }: { figures: Figure[] }) {
  const missed = figures.filter(({ noShows }) => noShows > 0);
  if (missed.length === 0) {
    const finished = figures.some(({ completed }) => completed > 0);
    return <Muted>{finished ? 'No customer missed an appointment.' : 'No appointments finished yet.'}</Muted>;
  }
  return (
    <Bars
      label="No-shows of each service"
      least={LEAST_RATE}
      bars={missed
        .map((figure) => ({ figure, rate: noShowRate(figure) ?? 0 }))
        .sort((one, other) => other.rate - one.rate)
        .map(({ figure, rate }) => ({
          key: figure.id,
          name: figure.name,
          parts: [['main', rate]],
          value: percent(rate),
          detail: `${count(figure.noShows)} of ${count(kept(figure))}`,
        }))}
    />
  );
}

function Rebooking({ figures }: { figures: Figure[] }) {
  const again = figures.flatMap(({ id, name, rebooking }) => (rebooking ? [{ id, name, ...rebooking }] : []));
  if (again.length === 0) return <Muted>No customer has had the same service twice yet.</Muted>;
  return (
    <Bars
      label="Days until each service is booked again"
      bars={again
        .sort((one, other) => one.days - other.days)
        .map(({ id, name, days, pairs }) => ({
          key: id,
          name,
          parts: [['main', days]],
          value: daysText(days),
          detail: pairs === 1 ? 'of 1 return' : `median of ${count(pairs)}`,
        }))}
    />
  );
}

function People({ figures }: { figures: Figure[] }) {
  const people = peopleOf(figures);
  if (people.length === 0) return <Muted>No employee has done any of these services.</Muted>;
  const all = people.reduce((sum, { visits }) => sum + visits, 0);
  return (
    <Bars
      label="Services done by each person"
      bars={people.map(({ id, name, visits, services }) => ({
        key: id,
        name,
        parts: [['main', visits]],
        value: `${count(visits)}, ${Math.round((visits / all) * 100)} %`,
        detail: services[0] && `mostly ${services[0].name}`,
      }))}
    />
  );
}

import { Chart, useChart } from '@chakra-ui/charts';
import { Grid } from '@chakra-ui/react';
import { useNavigate } from 'react-router';
import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts';
import { Key, Legend } from '../intelligence/bars';
import { dayAfter } from '../time/local';
import { shortDayText } from '../time/local-day';
import { Card } from '../ui/card';
import { countTicks } from '../ui/count-ticks';
import { Muted } from '../ui/text';
import type { Parts } from './parts';
import { recordsOf } from './records';
import { hourText, steps } from './shares';

/** More days than these are told by the week. */
const MOST_DAYS = 92;

/** Calls by day and by hour of the day, as columns. The tables say the same in numbers. */
export function Columns({ businessId, dates, told }: Parts) {
  const days = told.days.map(({ date, figures }) => ({ date, ...numbers(figures) }));
  const byDay = steps(days, MOST_DAYS);
  const weekly = byDay.length < days.length;
  const live = days.some(({ calls, ended }) => calls > ended);
  const ofDay = (date: string) => {
    const last = weekly ? dayAfter(date, 6) : date;
    return recordsOf(businessId, { first: date, last: last > dates.last ? dates.last : last });
  };
  return (
    <Grid
      gap="6"
      alignItems="start"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }}
    >
      <Card title={weekly ? 'Calls by week' : 'Calls by day'}>
        <Meaning live={live} />
        <Column
          label={weekly ? 'Calls by week' : 'Calls by day'}
          data={byDay.map((day) => ({
            name: weekly ? `Week of ${shortDayText(day.date)}` : shortDayText(day.date),
            to: ofDay(day.date),
            ...partsOf(day),
          }))}
        />
      </Card>
      <Card title="Calls by hour of the day">
        <Meaning live={live} />
        <Column
          label="Calls by hour of the day"
          data={told.hours.map(({ hour, figures }) => ({
            name: hourText(hour),
            to: recordsOf(businessId, dates, { hour }),
            ...partsOf(numbers(figures)),
          }))}
        />
        <Muted pt="2">All dates together, by the salon’s clock.</Muted>
      </Card>
    </Grid>
  );
}

type Numbers = { calls: number; answered: number; ended: number };

function numbers(figures: Parts['told']['days'][number]['figures']): Numbers {
  return {
    calls: Number(figures?.calls ?? 0n),
    answered: Number(figures?.answered ?? 0n),
    ended: Number(figures?.ended ?? 0n),
  };
}

const partsOf = ({ calls, answered, ended }: Numbers) => ({
  answered,
  silent: ended - answered,
  live: calls - ended,
});

function Meaning({ live }: { live: boolean }) {
  return (
    <Legend>
      <Key fill="main">Answered</Key>
      <Key fill="warn">Hung up without a word</Key>
      {live && <Key fill="quiet">Not ended</Key>}
    </Legend>
  );
}

type Datum = { name: string; to: string; answered: number; silent: number; live: number };

function Column({ label, data }: { label: string; data: Datum[] }) {
  const navigate = useNavigate();
  const chart = useChart({
    data,
    series: [
      { name: 'answered', label: 'Answered', color: 'brand.solid' },
      { name: 'silent', label: 'Hung up without a word', color: 'warn.fg' },
      { name: 'live', label: 'Not ended', color: 'line.strong' },
    ],
  });
  // Recharts' own grey can't be read in the dark.
  const tick = { fill: chart.color('fg.muted'), fontSize: 13 };
  return (
    <Chart.Root chart={chart} height="16rem" role="img" aria-label={`${label}. The table has the numbers.`}>
      <BarChart
        // As wide as its frame: without a width nothing is drawn.
        responsive
        data={chart.data}
        accessibilityLayer={false}
        margin={{ top: 8, left: -24, right: 0 }}
        onClick={({ activeTooltipIndex }) => {
          const datum = data[Number(activeTooltipIndex)];
          if (datum) void navigate(datum.to);
        }}
      >
        <CartesianGrid vertical={false} stroke={chart.color('line')} />
        <XAxis dataKey="name" tick={tick} tickLine={false} axisLine={false} tickMargin={8} minTickGap={16} />
        <YAxis
          allowDecimals={false}
          tick={tick}
          tickCount={countTicks(
            Math.max(...data.map(({ answered, silent, live }) => answered + silent + live)),
          )}
          interval={0}
          tickLine={false}
          axisLine={false}
        />
        <Tooltip
          cursor={{ fill: chart.color('bg.hover') }}
          animationDuration={0}
          content={<Chart.Tooltip />}
        />
        {chart.series.map(({ name, color }) => (
          <Bar
            key={String(name)}
            dataKey={String(name)}
            stackId="calls"
            fill={chart.color(color)}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </Chart.Root>
  );
}

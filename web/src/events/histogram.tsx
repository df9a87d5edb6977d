import { Chart, useChart } from '@chakra-ui/charts';
import { chakra } from '@chakra-ui/react';
import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts';
import type { ProductEventCount } from '../gen/frontdesk/telemetry/v1/product_event_pb';
import { dateText, dayAndTime } from '../time/zoned';
import { countTicks } from '../ui/count-ticks';
import { TYPE_TEXT } from './wish';

type HistogramProps = {
  counts: ProductEventCount[];
  /** When each step begins. */
  steps: readonly Date[];
  /** Each is a day. */
  days: boolean;
  zone: string;
};

const AXIS_PX = 20;
const FIGURE_PX = 8;

const countText = (events: number) => events.toLocaleString('en-GB');

/** Events over time as columns, and the sums of each type for those who do not see them. */
export function Histogram({ counts, steps, days, zone }: HistogramProps) {
  const data = steps.map((begins, step) => ({
    name: days ? dateText(begins, zone) : dayAndTime(begins, zone),
    events: counts
      .filter((count) => count.step === step)
      .reduce((sum, count) => sum + Number(count.events), 0),
  }));
  const sums = new Map<number, number>();
  for (const { type, events } of counts) sums.set(type, (sums.get(type) ?? 0) + Number(events));
  const chart = useChart({ data, series: [{ name: 'events', label: 'Events', color: 'brand.solid' }] });
  const most = Math.max(...data.map(({ events }) => events));
  const tick = { fill: chart.color('fg.muted'), fontSize: 13 };
  return (
    <>
      <Chart.Root chart={chart} height="12rem" role="img" aria-label="Events over time">
        <BarChart
          responsive
          data={chart.data}
          accessibilityLayer={false}
          margin={{ top: 8, left: 0, right: 0 }}
        >
          <CartesianGrid vertical={false} stroke={chart.color('line')} />
          <XAxis
            dataKey="name"
            tick={tick}
            tickLine={false}
            axisLine={false}
            tickMargin={8}
            minTickGap={48}
          />
          <YAxis
            allowDecimals={false}
            tickCount={countTicks(most)}
            tickFormatter={countText}
            // Its numbers may have five figures: a fixed width cuts off the first.
            width={AXIS_PX + FIGURE_PX * countText(most).length}
            interval={0}
            tick={tick}
            tickLine={false}
            axisLine={false}
          />
          <Tooltip
            cursor={{ fill: chart.color('bg.hover') }}
            animationDuration={0}
            content={<Chart.Tooltip />}
          />
          <Bar dataKey="events" fill={chart.color('brand.solid')} isAnimationActive={false} />
        </BarChart>
      </Chart.Root>
      <chakra.ul
        aria-label="Events by type"
        listStyleType="none"
        display="flex"
        flexWrap="wrap"
        columnGap="6"
        pt="3"
      >
        {[...sums].map(([type, events]) => (
          <li key={type}>
            {TYPE_TEXT[type as keyof typeof TYPE_TEXT]}: {countText(events)}
          </li>
        ))}
      </chakra.ul>
    </>
  );
}

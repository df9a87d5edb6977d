import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CalendarRange, ChartNoAxesColumn } from 'lucide-react';
import { businessQuery } from '../business/queries';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import type { GetServiceIntelligenceResponse } from '../gen/frontdesk/scheduling/v1/intelligence_pb';
import { messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { Button } from '../ui/button';
import { Surface } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted } from '../ui/text';
import { Charts } from './charts';
import { type Demand, demandOf, searchesOf } from './demand';
import { ExportMenu } from './export-menu';
import { type Figure, figuresOf, totalOf } from './figures';
import { Headlines } from './headlines';
import { intelligenceQuery } from './queries';
import { Tables } from './tables';
import { beforeText, datesBefore, datesText, type Wish } from './wish';

type FiguresPartProps = { businessId: string; wish: Wish; services: Service[] };

/** The figures of services in the chosen dates, compared with as many dates before. */
export function FiguresPart({ businessId, wish, services }: FiguresPartProps) {
  const now = useQuery(intelligenceQuery(businessId, wish.dates));
  const before = useQuery(intelligenceQuery(businessId, datesBefore(wish.dates)));
  const skeleton = (
    <Surface>
      <RowsSkeleton rows={6} label="Loading figures" />
    </Surface>
  );
  return (
    <Reading query={now} what="The figures" framed missingIsPage skeleton={skeleton}>
      {(answer) => (
        <Stack gap="6" aria-busy={now.isPlaceholderData} opacity={now.isPlaceholderData ? 0.6 : undefined}>
          <Shown
            businessId={businessId}
            wish={wish}
            now={shownOf(answer, services, wish.category)}
            before={
              before.data && !before.isPlaceholderData
                ? shownOf(before.data, services, wish.category)
                : undefined
            }
          />
          {before.error && !before.data && (
            <Flex gap="3" align="center" wrap="wrap">
              <Muted>What was before can’t be shown. {messageOf(before.error)}</Muted>
              <Button loading={before.isFetching} onClick={() => void before.refetch()}>
                Compare again
              </Button>
            </Flex>
          )}
        </Stack>
      )}
    </Reading>
  );
}

type Shown = { figures: Figure[]; demand: Demand[] };

/** What of an answer is about a category; the empty one is all. */
function shownOf(
  { services: reports, unmetDemand }: Pick<GetServiceIntelligenceResponse, 'services' | 'unmetDemand'>,
  services: Service[],
  category: string,
): Shown {
  const all = figuresOf(reports, new Map(services.map((service) => [service.id, service.category])));
  const figures = category ? all.filter((figure) => figure.category === category) : all;
  const names = new Map(all.map(({ id, name }) => [id, name]));
  const wanted = new Set(figures.map(({ id }) => id));
  const demand = demandOf(unmetDemand, (id) => names.get(id) ?? 'A service that is gone');
  return {
    // A removed service without a booking is left out.
    figures: figures.filter(({ current, booked }) => current || booked > 0),
    demand: category ? demand.filter(({ serviceIds }) => serviceIds.some((id) => wanted.has(id))) : demand,
  };
}

type ShownProps = { businessId: string; wish: Wish; now: Shown; before: Shown | undefined };

function Shown({ businessId, wish, now, before }: ShownProps) {
  const business = useQuery(businessQuery(businessId)).data?.business?.name ?? '';
  const wholeOf = ({ figures, demand }: Shown) => ({ tally: totalOf(figures), searches: searchesOf(demand) });
  const whole = wholeOf(now);
  if (whole.tally.booked === 0 && whole.searches === 0) return <Nothing wish={wish} before={before} />;
  return (
    <>
      <Flex gap="4" align="center" justify="space-between" wrap="wrap">
        <Muted>
          {datesText(wish.dates)}, compared with {beforeText(wish.dates)}:{' '}
          {datesText(datesBefore(wish.dates))}.
        </Muted>
        <ExportMenu business={business} dates={wish.dates} figures={now.figures} demand={now.demand} />
      </Flex>
      <Headlines now={whole} before={before && wholeOf(before)} />
      {wish.table ? (
        <Tables figures={now.figures} demand={now.demand} />
      ) : (
        <Charts
          figures={now.figures}
          before={before?.figures}
          beforeText={capital(beforeText(wish.dates))}
          demand={now.demand}
        />
      )}
    </>
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function Nothing({ wish, before }: { wish: Wish; before: Shown | undefined }) {
  const fresh = before?.figures.every(({ booked }) => booked === 0) && !wish.category;
  return (
    <Surface>
      {fresh ? (
        <Empty icon={ChartNoAxesColumn} title="Nothing to measure yet">
          Figures come with the first visits of these dates: nothing was booked in {datesText(wish.dates)},
          nor in {beforeText(wish.dates)}.
        </Empty>
      ) : (
        <Empty icon={CalendarRange} title="Nothing was booked">
          {wish.category ? `No service of ${wish.category}` : 'No service'} was booked or asked for in{' '}
          {datesText(wish.dates)}.
        </Empty>
      )}
    </Surface>
  );
}

/** Dates that can't be asked about. */
export function NoDates() {
  return (
    <Surface>
      <Box aria-live="polite">
        <Empty icon={CalendarRange} title="No figures for these dates" />
      </Box>
    </Surface>
  );
}

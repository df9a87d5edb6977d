import { Box, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { GetCustomerFiguresResponse } from '../gen/frontdesk/scheduling/v1/customer_figures_pb';
import { Reading } from '../layout/reading';
import { dateText, moment } from '../time/zoned';
import { Card } from '../ui/card';
import { Fact, Facts } from '../ui/facts';
import { moneyText } from '../ui/money';
import { RowsSkeleton } from '../ui/skeleton';
import { Muted, Text } from '../ui/text';
import { figuresQuery } from './queries';

type FiguresCardProps = { businessId: string; customerId: string; zone: string };

/** What a customer's past visits add up to, each figure with what it counts. */
export function FiguresCard({ businessId, customerId, zone }: FiguresCardProps) {
  const query = useQuery(figuresQuery(businessId, customerId));
  return (
    <Card title="Visits in figures">
      <Reading query={query} what="The figures" skeleton={<RowsSkeleton rows={2} label="Loading figures" />}>
        {(figures) =>
          figures.visitCount === 0 && figures.noShowCount === 0 ? (
            <Muted>No past visit yet.</Muted>
          ) : (
            <Figures figures={figures} zone={zone} />
          )
        }
      </Reading>
    </Card>
  );
}

function Figures({ figures, zone }: { figures: GetCustomerFiguresResponse; zone: string }) {
  const { visitCount, usualServices, spends, noShowCount, noShowsAt } = figures;
  const [first, last] = [moment(figures.firstVisitAt), moment(figures.lastVisitAt)];
  const missed = noShowsAt.map(moment).filter((at) => at !== null);
  return (
    <Stack gap="4">
      <Facts>
        <Fact name="Visits">{visitCount}</Fact>
        {first && <Fact name="First visit">{dateText(first, zone)}</Fact>}
        {last && visitCount > 1 && <Fact name="Last visit">{dateText(last, zone)}</Fact>}
        {spends.length > 0 && (
          <Fact name="Value at list prices">
            {spends.map(({ currency, priceMinor }) => (
              <Text key={currency}>{moneyText(Number(priceMinor), currency) || 'No prices set'}</Text>
            ))}
          </Fact>
        )}
        <Fact name="No-shows">
          {noShowCount === 0 ? 'None' : noShowCount}
          {missed.length > 0 && (
            <Muted as="span" display="block" fontSize="0.875rem">
              {missed.map((at) => dateText(at, zone)).join(', ')}
              {noShowCount > missed.length && ' and earlier'}
            </Muted>
          )}
        </Fact>
      </Facts>
      {usualServices.length > 0 && (
        <Box>
          <Muted fontSize="0.875rem">Usual services</Muted>
          <Box as="ul" listStyleType="none" aria-label="Usual services">
            {usualServices.map(({ serviceId, serviceName, visitCount: times }) => (
              <Text as="li" key={serviceId} fontWeight="500" overflowWrap="anywhere">
                {serviceName}
                <Muted as="span" fontWeight="400">
                  {` · ${times === 1 ? 'once' : `${times} visits`}`}
                </Muted>
              </Text>
            ))}
          </Box>
        </Box>
      )}
      <Muted fontSize="0.875rem">
        Counts visits that are over, without cancelled ones and no-shows. List prices are those of the
        booking, not what was paid.
      </Muted>
    </Stack>
  );
}

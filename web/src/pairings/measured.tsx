import { Box, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ChartNoAxesColumn } from 'lucide-react';
import type { MeasuredPairing } from '../gen/frontdesk/scheduling/v1/pairing_pb';
import { Reading } from '../layout/reading';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Table } from '../ui/table';
import { Muted } from '../ui/text';
import { measuredQuery } from './queries';

type MeasuredProps = {
  businessId: string;
  serviceId: string;
  onSuggest: ((serviceId: string, suggestedServiceId: string) => void) | undefined;
};

/** What customers bought together within a year, the strongest first. */
export function Measured({ businessId, serviceId, onSuggest }: MeasuredProps) {
  const query = useQuery(measuredQuery(businessId, serviceId));
  return (
    <Card title="Measured" flush>
      <Reading
        query={query}
        what="What was measured"
        missingIsPage
        skeleton={<RowsSkeleton rows={4} label="Loading what was measured" />}
      >
        {({ pairings, visits }) => (
          <>
            {visits > 0 && (
              <Muted px={{ base: '4', sm: '6' }} pb="3">
                Over {visits.toLocaleString('en-GB')} visits of the last year; of services that were bought
                together at least five times.
              </Muted>
            )}
            {pairings.length === 0 ? (
              <Empty icon={ChartNoAxesColumn} title="Nothing is bought together more than by chance" />
            ) : (
              <Table label="Measured pairings" minWidth="46rem" paired>
                <thead>
                  <tr>
                    <th scope="col">Service</th>
                    <th scope="col">With</th>
                    <th scope="col" data-figures>
                      Both
                    </th>
                    <th scope="col">Of visits with either</th>
                    <th scope="col" data-figures>
                      Lift
                    </th>
                    {onSuggest && <th scope="col" aria-label="Actions" />}
                  </tr>
                </thead>
                <tbody>
                  {pairings.map((pairing) => (
                    <Row
                      key={`${pairing.serviceId} ${pairing.otherServiceId}`}
                      pairing={pairing}
                      onSuggest={onSuggest}
                    />
                  ))}
                </tbody>
              </Table>
            )}
          </>
        )}
      </Reading>
    </Card>
  );
}

function Row({ pairing, onSuggest }: { pairing: MeasuredPairing } & Pick<MeasuredProps, 'onSuggest'>) {
  const { serviceName, otherServiceName, visitsWithBoth, visitsWithService, visitsWithOther, lift } = pairing;
  return (
    <tr>
      <th scope="row">{serviceName}</th>
      <td data-label="With">{otherServiceName}</td>
      <td data-figures data-label="Visits with both">
        {visitsWithBoth.toLocaleString('en-GB')}
      </td>
      <td data-label="Of visits with either">
        <Share both={visitsWithBoth} all={visitsWithService} of={serviceName} />
        <Share both={visitsWithBoth} all={visitsWithOther} of={otherServiceName} />
      </td>
      <td data-figures data-label="Lift">
        {lift.toFixed(1)} ×
      </td>
      {onSuggest && (
        <td data-figures>
          <Button
            variant="quiet"
            aria-label={`Suggest ${otherServiceName} with ${serviceName}`}
            onClick={() => onSuggest(pairing.serviceId, pairing.otherServiceId)}
          >
            Suggest
          </Button>
        </td>
      )}
    </tr>
  );
}

/** "38 % of 120 with Full colour", and a bar of it. */
function Share({ both, all, of }: { both: bigint; all: bigint; of: string }) {
  const share = all === 0n ? 0 : Number(both) / Number(all);
  return (
    <Flex align="center" gap="3" fontSize="0.875rem">
      <Box width="64px" height="6px" borderRadius="full" bg="quiet.subtle" flexShrink="0" aria-hidden>
        <Box height="100%" borderRadius="full" bg="brand.solid" width={`${Math.round(share * 100)}%`} />
      </Box>
      <span>
        {Math.round(share * 100)} % of {all.toLocaleString('en-GB')} with {of}
      </span>
    </Flex>
  );
}

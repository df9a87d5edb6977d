import { Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { UserX } from 'lucide-react';
import { CustomerVisits } from '../appointments/customer-visits';
import { useZone } from '../business/use-zone';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import type { Erasure, ErasureHolder } from '../gen/frontdesk/tenancy/v1/erasure_pb';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { dateText, moment } from '../time/zoned';
import { Badge } from '../ui/badge';
import { Card } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Note } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { erasedText, keptBy } from './erasure-text';
import { FiguresCard } from './figures-card';
import { erasureQuery } from './queries';

type ErasedProfileProps = { businessId: string; customer: Customer };

/** What is left of a person who was erased: that they were, and their visits for the books. */
export function ErasedProfile({ businessId, customer }: ErasedProfileProps) {
  const zone = useZone(businessId);
  const erasedAt = moment(customer.erasedAt);
  const erasure = useQuery(erasureQuery(businessId, customer.id)).data?.erasure;
  return (
    <Page title={customer.name}>
      <Note tone="info" icon={UserX}>
        {erasedText(
          erasedAt ? dateText(erasedAt, zone) : undefined,
          erasure && erasure.finishedAt !== undefined,
        )}
      </Note>
      <Stack gap="6">
        <ErasureCard businessId={businessId} customerId={customer.id} />
        <CustomerVisits businessId={businessId} customerId={customer.id} zone={zone} title="Visits" />
        <FiguresCard businessId={businessId} customerId={customer.id} zone={zone} />
      </Stack>
    </Page>
  );
}

function ErasureCard({ businessId, customerId }: { businessId: string; customerId: string }) {
  const query = useQuery(erasureQuery(businessId, customerId));
  return (
    <Card title="Erasure, part by part">
      <Reading query={query} what="The erasure" skeleton={<RowsSkeleton rows={4} label="Loading" />}>
        {({ erasure }) => erasure && <Holders erasure={erasure} />}
      </Reading>
    </Card>
  );
}

function Holders({ erasure }: { erasure: Erasure }) {
  const { holders, finishedAt, cancelledVisitCount } = erasure;
  const asked = holders.find(({ confirmedAt }) => !confirmedAt);
  return (
    <Stack gap="4">
      <Text role="status">{finishedAt ? 'Every part has confirmed.' : 'Being erased …'}</Text>
      <Stack as="ul" gap="3" aria-label="Parts" listStyleType="none">
        {holders.map((holder) => (
          <Flex as="li" key={holder.service} justify="space-between" gap="4" wrap="wrap">
            <Text>{keptBy(holder.service)}</Text>
            <State holder={holder} next={holder === asked} />
          </Flex>
        ))}
      </Stack>
      {cancelledVisitCount > 0 && (
        <Muted>
          {cancelledVisitCount === 1
            ? 'One visit to come was cancelled.'
            : `${cancelledVisitCount} visits to come were cancelled.`}
        </Muted>
      )}
    </Stack>
  );
}

function State({ holder, next }: { holder: ErasureHolder; next: boolean }) {
  if (holder.confirmedAt) return <Badge tone="good">Erased</Badge>;
  if (holder.waitingFor) return <Badge tone="warn">Waiting for {holder.waitingFor}</Badge>;
  return <Badge tone={next ? 'info' : 'quiet'}>{next ? 'Erasing …' : 'Not yet'}</Badge>;
}

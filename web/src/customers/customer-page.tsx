import { Box, Grid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { type LoaderFunctionArgs, Navigate, useParams } from 'react-router';
import { may } from '../api/access';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { CustomerVisits } from '../appointments/customer-visits';
import { allUpcomingQuery, pastPages } from '../appointments/queries';
import { CONTACT_HIDDEN } from '../business/contact-policy';
import { useBusinessRole } from '../business/queries';
import { useZone } from '../business/use-zone';
import { CustomerAccess, CustomerMergeAccess } from '../gen/access';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { NotFound } from '../layout/not-found';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { PageSkeleton } from '../layout/skeletons';
import { isId, paths } from '../paths';
import { Card } from '../ui/card';
import { Fact, Facts } from '../ui/facts';
import { MailLink } from '../ui/mail-link';
import { PhoneLink } from '../ui/phone-link';
import { Muted } from '../ui/text';
import { Consent } from './consent';
import { CustomerActions } from './customer-actions';
import { CustomerCalls } from './customer-calls';
import { Tags } from './customer-row';
import { ErasedProfile } from './erased-profile';
import { FiguresCard } from './figures-card';
import { FormulasCard } from './formulas-card';
import { MergesNote } from './merges-note';
import { NotesCard } from './notes-card';
import { PatchTestsCard } from './patch-tests-card';
import { PinnedNotes } from './pinned-notes';
import {
  consentChangesQuery,
  customerCallPages,
  customerQuery,
  figuresQuery,
  formulasQuery,
  notePages,
  patchTestsQuery,
} from './queries';

/** In one column the cards of both follow each other by what is needed first. */
const COLUMN = { display: { base: 'contents', lg: 'flex' }, gap: '6' } as const;

export function loader({ params: { businessId = '', customerId } }: LoaderFunctionArgs) {
  if (!isId(customerId)) return null;
  return warm(() => [
    queries.prefetchQuery(customerQuery(businessId, customerId)),
    queries.prefetchInfiniteQuery(notePages(businessId, customerId)),
    queries.prefetchQuery(allUpcomingQuery(businessId, customerId)),
    queries.prefetchInfiniteQuery(pastPages(businessId, customerId)),
    queries.prefetchQuery(patchTestsQuery(businessId, customerId)),
    queries.prefetchQuery(formulasQuery(businessId, customerId)),
    queries.prefetchQuery(figuresQuery(businessId, customerId)),
    queries.prefetchInfiniteQuery(customerCallPages(businessId, customerId)),
    queries.prefetchQuery(consentChangesQuery(businessId, customerId)),
  ]);
}

export function Component() {
  const { businessId = '', customerId } = useParams();
  return isId(customerId) ? <Profile businessId={businessId} customerId={customerId} /> : <NotFound />;
}

function Profile({ businessId, customerId }: { businessId: string; customerId: string }) {
  const query = useQuery(customerQuery(businessId, customerId));
  return (
    <Reading
      query={query}
      what="This customer"
      framed
      missingIsPage
      page
      skeleton={<PageSkeleton kind="businessDetail" />}
    >
      {({ customer }) =>
        customer?.mergedInto ? (
          <Navigate to={paths.customer(businessId, customer.mergedInto)} replace />
        ) : customer?.erasedAt ? (
          <ErasedProfile businessId={businessId} customer={customer} />
        ) : (
          customer && <Content key={customer.id} businessId={businessId} customer={customer} />
        )
      }
    </Reading>
  );
}

function Content({ businessId, customer }: { businessId: string; customer: Customer }) {
  const zone = useZone(businessId);
  const here = useBusinessRole(businessId);
  const mayEdit = here.kind === 'member' && may(CustomerAccess.updateCustomer, here.role);
  const mayMerge = here.kind === 'member' && may(CustomerMergeAccess.mergeCustomers, here.role);
  return (
    <Page
      title={customer.name}
      lead={customer.tags.length > 0 && <Tags tags={customer.tags} />}
      action={<CustomerActions businessId={businessId} customer={customer} />}
    >
      {mayMerge && <MergesNote businessId={businessId} customerId={customer.id} />}
      <PinnedNotes businessId={businessId} customerId={customer.id} />
      <Grid
        gap="6"
        alignItems="start"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 3fr) minmax(0, 2fr)' }}
      >
        <Stack {...COLUMN}>
          <Box order="2">
            <CustomerVisits businessId={businessId} customerId={customer.id} zone={zone} title="Visits" />
          </Box>
          <Box order="3">
            <NotesCard businessId={businessId} customer={customer} zone={zone} />
          </Box>
          <Box order="6">
            <CustomerCalls businessId={businessId} customerId={customer.id} zone={zone} />
          </Box>
        </Stack>
        <Stack {...COLUMN}>
          <Card title="Contact">
            {customer.contactHidden ? (
              <Facts>
                <Fact name="Phone and e-mail">
                  <Muted as="span">{CONTACT_HIDDEN}</Muted>
                </Fact>
              </Facts>
            ) : (
              <Facts>
                <Fact name="Phone">{customer.phone ? <PhoneLink phone={customer.phone} /> : 'None'}</Fact>
                <Fact name="E-mail" long>
                  {customer.email ? <MailLink email={customer.email} /> : 'None'}
                </Fact>
              </Facts>
            )}
          </Card>
          <Box order="4">
            <PatchTestsCard businessId={businessId} customer={customer} zone={zone} />
          </Box>
          <Box order="4">
            <FormulasCard businessId={businessId} customer={customer} zone={zone} />
          </Box>
          <Box order="5">
            <FiguresCard businessId={businessId} customerId={customer.id} zone={zone} />
          </Box>
          <Box order="7">
            <Card title="Advertising">
              <Stack gap="3">
                <Consent businessId={businessId} customer={customer} zone={zone} editable={mayEdit} />
              </Stack>
            </Card>
          </Box>
        </Stack>
      </Grid>
    </Page>
  );
}

import { Box, Flex, Grid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { MapPin, Phone } from 'lucide-react';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import { may } from '../api/access';
import { messageOf } from '../api/errors';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { Conflicts } from '../appointments/conflicts';
import { NextAppointments } from '../appointments/next-appointments';
import { nextAppointmentPages } from '../appointments/queries';
import { recentCallsQuery } from '../calls/queries';
import { RecentCalls } from '../calls/recent-calls';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { CallService } from '../gen/frontdesk/telemetry/v1/call_pb';
import type { Business } from '../gen/frontdesk/tenancy/v1/business_pb';
import { OfferedServices } from '../services/offered-services';
import { session } from '../session/current';
import { passes } from '../session/roles';
import { NotFound } from '../shell/not-found';
import { Page } from '../shell/page';
import { Reading } from '../shell/reading';
import { PageSkeleton } from '../shell/skeletons';
import { ZoneNote } from '../time/zone-note';
import { phoneText } from '../ui/phone';
import { Failed } from '../ui/states';
import { OpeningHours } from './opening-hours';
import { businessQuery, membershipsQuery, openingHoursQuery, useBusinessRole } from './queries';
import { useZone } from './use-zone';

export function loader({ params }: LoaderFunctionArgs) {
  const { businessId = '' } = params;
  return warm(() => [
    queries.prefetchQuery(membershipsQuery()),
    queries.prefetchQuery(businessQuery(businessId)),
    queries.prefetchQuery(openingHoursQuery(businessId)),
    ...(passes(session.state.user?.role ?? '', 'EMPLOYEE')
      ? [
          queries.prefetchInfiniteQuery(nextAppointmentPages(businessId)),
          queries.prefetchQuery(recentCallsQuery(businessId)),
        ]
      : []),
  ]);
}

export function Component() {
  const { businessId = '' } = useParams();
  const role = useBusinessRole(businessId);
  switch (role.kind) {
    case 'unknown':
      return <PageSkeleton kind="dashboard" />;
    case 'none':
      return <NotFound />;
    case 'failed':
      return (
        <Failed title="Your role can’t be found out" message={messageOf(role.error)} onRetry={role.retry} />
      );
    case 'member':
      return <Home key={businessId} businessId={businessId} role={role.role} />;
  }
}

function Home({ businessId, role }: { businessId: string; role: string }) {
  const query = useQuery(businessQuery(businessId));
  const zone = useZone(businessId);
  return (
    <Reading query={query} what="This business" missingIsPage skeleton={<PageSkeleton kind="dashboard" />}>
      {({ business }) =>
        business && (
          <Page
            title={business.name}
            lead={<Identity business={business} />}
            action={<ZoneNote zone={zone} />}
          >
            {may(AppointmentService.method.listAppointments, role) ? (
              <Desk businessId={businessId} role={role} zone={zone} />
            ) : (
              <Counter businessId={businessId} />
            )}
          </Page>
        )
      }
    </Reading>
  );
}

function Identity({ business }: { business: Business }) {
  return (
    <Flex gap={{ base: '1', sm: '5' }} wrap="wrap" direction={{ base: 'column', sm: 'row' }}>
      {business.address && (
        <Flex as="span" align="center" gap="1.5">
          <MapPin size={16} aria-hidden />
          {business.address}
        </Flex>
      )}
      {business.phone && (
        <Flex as="span" align="center" gap="1.5">
          <Phone size={16} aria-hidden />
          {phoneText(business.phone)}
        </Flex>
      )}
    </Flex>
  );
}

/** Behind the desk: what comes next, who is on the line, what needs a person. */
function Desk({ businessId, role, zone }: { businessId: string; role: string; zone: string }) {
  return (
    <Stack gap="6">
      {may(AppointmentService.method.listConflicts, role) && (
        <Conflicts businessId={businessId} zone={zone} />
      )}
      <Grid
        gap="6"
        alignItems="start"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 3fr) minmax(0, 2fr)' }}
      >
        <NextAppointments businessId={businessId} />
        <Stack gap="6">
          {may(CallService.method.listCalls, role) && <RecentCalls businessId={businessId} zone={zone} />}
          <OpeningHours businessId={businessId} />
        </Stack>
      </Grid>
    </Stack>
  );
}

/** In front of it: when to come, and for what. */
function Counter({ businessId }: { businessId: string }) {
  return (
    <Grid
      gap="6"
      alignItems="start"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 3fr) minmax(0, 2fr)' }}
    >
      <Box>
        <OfferedServices businessId={businessId} />
      </Box>
      <OpeningHours businessId={businessId} />
    </Grid>
  );
}

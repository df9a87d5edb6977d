import { Flex, Grid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { MapPin, Phone } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import { may } from '../api/access';
import { queries } from '../api/query-client';
import { afterwards, warm } from '../api/warm';
import { Conflicts } from '../appointments/conflicts';
import { NextAppointments } from '../appointments/next-appointments';
import { StrandedNote } from '../appointments/stranded-note';
import { businessQuery, membershipsQuery, openingHoursQuery, useBusinessRole } from '../business/queries';
import { useZone } from '../business/use-zone';
import { AppointmentAccess, CallAccess, MemberAccess } from '../gen/access';
import type { Business } from '../gen/frontdesk/tenancy/v1/business_pb';
import { messageOf } from '../http/errors';
import { NotFound } from '../layout/not-found';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { PageSkeleton } from '../layout/skeletons';
import { session } from '../session/current';
import { isEmployeeOrAbove } from '../session/roles';
import { ZoneNote } from '../time/zone-note';
import { Card } from '../ui/card';
import { phoneText } from '../ui/phone';
import { RowsSkeleton } from '../ui/skeleton';
import { Failed } from '../ui/states';
import { readHome } from './read-home';

const today = () => import('./today');
const AtWorkCard = lazy(() => today().then(({ AtWorkCard }) => ({ default: AtWorkCard })));
const MyDayCard = lazy(() => today().then(({ MyDayCard }) => ({ default: MyDayCard })));
const GapsCard = lazy(() => today().then(({ GapsCard }) => ({ default: GapsCard })));
const RecentCalls = lazy(() =>
  import('../calls/recent-calls').then(({ RecentCalls }) => ({ default: RecentCalls })),
);
const CalendarsCard = lazy(() =>
  import('../calendars/calendars-card').then(({ CalendarsCard }) => ({ default: CalendarsCard })),
);
const OpeningHours = lazy(() =>
  import('./opening-hours').then(({ OpeningHours }) => ({ default: OpeningHours })),
);
const Checklist = lazy(() =>
  afterwards(() => import('../setup/checklist')).then(({ Checklist }) => ({ default: Checklist })),
);
const OfferedServices = lazy(() =>
  import('../services/offered-services').then(({ OfferedServices }) => ({ default: OfferedServices })),
);

export function loader({ params }: LoaderFunctionArgs) {
  const { businessId = '' } = params;
  return warm(() => [
    queries.prefetchQuery(membershipsQuery()),
    ...(isEmployeeOrAbove(session.state.user?.role ?? '')
      ? readHome(businessId)
      : [
          queries.prefetchQuery(businessQuery(businessId)),
          queries.prefetchQuery(openingHoursQuery(businessId)),
        ]),
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
        <Failed
          page
          title="Your role can’t be found out"
          message={messageOf(role.error)}
          onRetry={role.retry}
        />
      );
    case 'member':
      return <Home key={businessId} businessId={businessId} role={role.role} />;
  }
}

function Home({ businessId, role }: { businessId: string; role: string }) {
  const query = useQuery(businessQuery(businessId));
  const zone = useZone(businessId);
  const inside = may(AppointmentAccess.listAppointments, role);
  return (
    <Reading
      query={query}
      what="This business"
      missingIsPage
      page
      skeleton={<PageSkeleton kind="dashboard" />}
    >
      {({ business }) =>
        business && (
          <Page
            title={business.name}
            lead={<Identity business={business} inside={inside} />}
            action={<ZoneNote zone={zone} />}
          >
            {inside ? (
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

type IdentityProps = { business: Business; inside: boolean };

/** Guests see the address, not the telephone number. */
function Identity({ business, inside }: IdentityProps) {
  return (
    <Flex gap={{ base: '1', sm: '5' }} wrap="wrap" direction={{ base: 'column', sm: 'row' }}>
      {business.address && (
        <Flex as="span" align="center" gap="1.5">
          <MapPin size={16} aria-hidden />
          {business.address}
        </Flex>
      )}
      {inside && business.phone && (
        <Flex as="span" align="center" gap="1.5">
          <Phone size={16} aria-hidden />
          {phoneText(business.phone)}
        </Flex>
      )}
    </Flex>
  );
}

/** The home page of employees: the inbox, the next appointments, who is at work, today's free times. */
function Desk({ businessId, role, zone }: { businessId: string; role: string; zone: string }) {
  return (
    <Stack gap="6">
      {may(MemberAccess.listMembers, role) && (
        <Suspense>
          <Checklist businessId={businessId} role={role} />
        </Suspense>
      )}
      <StrandedNote businessId={businessId} />
      {may(AppointmentAccess.listConflicts, role) && <Conflicts businessId={businessId} zone={zone} />}
      <Columns>
        <Stack gap="6" minWidth="0">
          <MyDayFirst businessId={businessId} role={role} zone={zone} />
          <NextAppointments businessId={businessId} />
          <Coming title="Free times today" rows={3}>
            <GapsCard businessId={businessId} role={role} zone={zone} />
          </Coming>
        </Stack>
        <Stack gap="6" minWidth="0">
          <Coming title="At work" rows={4}>
            <AtWorkCard businessId={businessId} role={role} zone={zone} />
          </Coming>
          {may(CallAccess.listCalls, role) && (
            <Coming title="Calls" rows={4}>
              <RecentCalls businessId={businessId} zone={zone} />
            </Coming>
          )}
          <Coming title="Calendars" rows={2}>
            <CalendarsCard businessId={businessId} role={role} zone={zone} />
          </Coming>
          <Coming title="Opening hours" rows={7}>
            <OpeningHours businessId={businessId} />
          </Coming>
        </Stack>
      </Columns>
    </Stack>
  );
}

/** Before what concerns everyone. Its place is kept for those who certainly have a day. */
function MyDayFirst(props: { businessId: string; role: string; zone: string }) {
  return props.role === 'EMPLOYEE' ? (
    <Coming title="My day" rows={3}>
      <MyDayCard {...props} />
    </Coming>
  ) : (
    <Suspense>
      <MyDayCard {...props} />
    </Suspense>
  );
}

/** The home page of guests: opening hours and services. */
function Counter({ businessId }: { businessId: string }) {
  return (
    <Columns>
      <Coming title="Services" rows={5}>
        <OfferedServices businessId={businessId} />
      </Coming>
      <Coming title="Opening hours" rows={7}>
        <OpeningHours businessId={businessId} />
      </Coming>
    </Columns>
  );
}

function Columns({ children }: { children: ReactNode }) {
  return (
    <Grid
      gap="6"
      alignItems="start"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 3fr) minmax(0, 2fr)' }}
    >
      {children}
    </Grid>
  );
}

type ComingProps = { title: string; rows: number; children: ReactNode };

/** A part whose code comes after the page: its place is kept. */
function Coming({ title, rows, children }: ComingProps) {
  return (
    <Suspense
      fallback={
        <Card title={title} flush>
          <RowsSkeleton rows={rows} label={`Loading ${title.toLowerCase()}`} />
        </Card>
      }
    >
      {children}
    </Suspense>
  );
}

import { Grid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { CustomerVisits } from '../appointments/customer-visits';
import { appointmentQuery } from '../appointments/queries';
import { AppointmentBadge } from '../appointments/state';
import { useBusinessRole } from '../business/queries';
import { customerOf } from '../day/naming';
import type { GetAppointmentResponse } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { NotFound } from '../layout/not-found';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { PageSkeleton } from '../layout/skeletons';
import { isId } from '../paths';
import { ZoneNote } from '../time/zone-note';
import { dayName, moment, timeSpan } from '../time/zoned';
import { Card } from '../ui/card';
import { Text } from '../ui/text';
import { historyOf } from './history';
import { VisitPanel } from './visit-panel';

export function loader({ params: { businessId = '', appointmentId } }: LoaderFunctionArgs) {
  return isId(appointmentId)
    ? warm(() => [queries.prefetchQuery(appointmentQuery(businessId, appointmentId))])
    : null;
}

export function Component() {
  const { businessId = '', appointmentId } = useParams();
  return isId(appointmentId) ? (
    <Detail key={appointmentId} businessId={businessId} appointmentId={appointmentId} />
  ) : (
    <NotFound />
  );
}

function Detail({ businessId, appointmentId }: { businessId: string; appointmentId: string }) {
  const query = useQuery(appointmentQuery(businessId, appointmentId));
  return (
    <Reading
      query={query}
      what="This appointment"
      framed
      missingIsPage
      page
      skeleton={<PageSkeleton kind="businessDetail" />}
    >
      {(answer) => <Content businessId={businessId} answer={answer} />}
    </Reading>
  );
}

function Content({ businessId, answer }: { businessId: string; answer: GetAppointmentResponse }) {
  const role = useBusinessRole(businessId);
  const { appointment: visit, timeZone: zone } = answer;
  if (!visit) return null;
  const [from, to] = [moment(visit.startsAt), moment(visit.endsAt)];
  const customer = customerOf(visit);
  return (
    <Page
      title={customer}
      tab={`Appointment of ${customer}`}
      lead={
        <Stack direction="row" gap="4" wrap="wrap" align="center">
          <Text as="span" color="fg" fontWeight="550" fontSize="1.0625rem">
            {from && to && `${dayName(from, zone, new Date())}, ${timeSpan(from, to, zone)}`}
          </Text>
          <AppointmentBadge state={visit.state} />
          <ZoneNote zone={zone} />
        </Stack>
      }
    >
      <Grid
        gap="6"
        alignItems="start"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 2fr) minmax(0, 1fr)' }}
      >
        <Card title="Visit">
          <VisitPanel
            businessId={businessId}
            visit={visit}
            zone={zone}
            role={role.kind === 'member' ? role.role : ''}
            steps={answer.steps}
            stepBack={answer.stepBack}
            delayWindow={answer.delayWindow}
            undoable={answer.undoable}
            history={historyOf(answer, zone, new Date())}
            contacts={answer.contacts}
            titled
          />
        </Card>
        {visit.customerId && (
          <CustomerVisits
            businessId={businessId}
            customerId={visit.customerId}
            zone={zone}
            title="Other visits"
            except={visit.id}
          />
        )}
      </Grid>
    </Page>
  );
}

import { Box, Grid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import { may } from '../api/access';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { useBusinessRole } from '../business/queries';
import { customerOf } from '../day/naming';
import { AppointmentAccess, ProposalAccess } from '../gen/access';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Contact } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { TextLink } from '../layout/links';
import { NotFound } from '../layout/not-found';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { PageSkeleton } from '../layout/skeletons';
import { isId, paths } from '../paths';
import { DelayDialog, isDelayable } from '../proposals/delay-dialog';
import { ZoneNote } from '../time/zone-note';
import { dateAndTime, dayName, moment, timeSpan } from '../time/zoned';
import { Avatar } from '../ui/avatar';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Fact, Facts } from '../ui/facts';
import { moneyText } from '../ui/money';
import { PhoneLink } from '../ui/phone-link';
import { Figures, Muted, Text } from '../ui/text';
import { CancelDialog } from './cancel-dialog';
import { ConflictsOf } from './conflicts';
import { Contacts } from './contacts';
import { CustomerVisits } from './customer-visits';
import { lengthText } from './item-length';
import { appointmentQuery } from './queries';
import { AppointmentBadge, isCancellable } from './state';

export function loader({ params: { businessId = '', appointmentId } }: LoaderFunctionArgs) {
  return isId(appointmentId)
    ? warm(() => [queries.prefetchQuery(appointmentQuery(businessId, appointmentId))])
    : null;
}

export function Component() {
  const { businessId = '', appointmentId } = useParams();
  return isId(appointmentId) ? (
    <Detail businessId={businessId} appointmentId={appointmentId} />
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
      {({ appointment, timeZone, contacts }) =>
        appointment && (
          <Content businessId={businessId} appointment={appointment} contacts={contacts} zone={timeZone} />
        )
      }
    </Reading>
  );
}

type ContentProps = { businessId: string; appointment: Appointment; zone: string };

function Content({
  businessId,
  appointment,
  contacts,
  zone,
}: ContentProps & { contacts: readonly Contact[] }) {
  const [from, to] = [moment(appointment.startsAt), moment(appointment.endsAt)];
  const customer = customerOf(appointment);
  const when = from && to ? `${dayName(from, zone, new Date())}, ${timeSpan(from, to, zone)}` : '';
  return (
    <Page
      title={customer}
      tab={`Appointment of ${customer}`}
      lead={
        <Stack direction="row" gap="4" wrap="wrap" align="center">
          <Text as="span" color="fg" fontWeight="550" fontSize="1.0625rem">
            {when}
          </Text>
          <AppointmentBadge state={appointment.state} />
          <ZoneNote zone={zone} />
        </Stack>
      }
      action={
        <Stack direction="row" gap="2" wrap="wrap">
          <RunningLate businessId={businessId} appointment={appointment} zone={zone} />
          <Cancel businessId={businessId} appointment={appointment} when={when} zone={zone} />
        </Stack>
      }
    >
      <ConflictsOf businessId={businessId} appointmentId={appointment.id} zone={zone} />
      <Contacts contacts={contacts} zone={zone} />
      <Grid
        gap="6"
        alignItems="start"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 2fr) minmax(0, 1fr)' }}
      >
        <Card title="Services" flush>
          <Items appointment={appointment} zone={zone} />
        </Card>
        <Stack gap="6">
          <Card title="Details">
            <Details businessId={businessId} appointment={appointment} zone={zone} />
          </Card>
          {appointment.customerId && (
            <CustomerVisits
              businessId={businessId}
              customerId={appointment.customerId}
              zone={zone}
              title="Other visits"
              except={appointment.id}
            />
          )}
        </Stack>
      </Grid>
    </Page>
  );
}

function Cancel({ businessId, appointment, when, zone }: ContentProps & { when: string }) {
  const [asking, setAsking] = useState(false);
  const role = useBusinessRole(businessId);
  const allowed = role.kind === 'member' && may(AppointmentAccess.cancelAppointment, role.role);
  if (!allowed || !isCancellable(appointment.state)) return null;
  return (
    <>
      <Button variant="dangerOutline" onClick={() => setAsking(true)}>
        Cancel appointment
      </Button>
      {asking && (
        <CancelDialog
          businessId={businessId}
          appointment={appointment}
          when={when}
          zone={zone}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function RunningLate({ businessId, appointment, zone }: ContentProps) {
  const [asking, setAsking] = useState(false);
  const role = useBusinessRole(businessId);
  const allowed = role.kind === 'member' && may(ProposalAccess.delayAppointment, role.role);
  if (!allowed || !isDelayable(appointment)) return null;
  return (
    <>
      <Button onClick={() => setAsking(true)}>Running late</Button>
      {asking && (
        <DelayDialog
          businessId={businessId}
          appointment={appointment}
          zone={zone}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function Items({ appointment, zone }: { appointment: Appointment; zone: string }) {
  return (
    <Box as="ul" listStyleType="none">
      {appointment.items.map((item) => {
        const [from, to] = [moment(item.startsAt), moment(item.endsAt)];
        return (
          <Grid
            as="li"
            key={`${item.serviceId}-${from?.getTime()}`}
            gridTemplateColumns="40px minmax(0, 1fr) auto"
            gap="4"
            alignItems="center"
            px={{ base: '4', sm: '6' }}
            py="3.5"
            borderTop="1px solid"
            borderColor="line"
          >
            <Avatar name={item.employeeName} size="40px" />
            <Stack gap="0" minWidth="0">
              <Text fontWeight="600">{item.serviceName}</Text>
              <Muted>{item.employeeName ? `with ${item.employeeName}` : 'Unassigned'}</Muted>
            </Stack>
            {from && to && (
              <Stack gap="0" textAlign="end" maxWidth={{ base: '9.5rem', sm: 'none' }}>
                <Figures fontWeight="550">{timeSpan(from, to, zone)}</Figures>
                <Muted>{lengthText(item)}</Muted>
              </Stack>
            )}
          </Grid>
        );
      })}
    </Box>
  );
}

function Details({ businessId, appointment, zone }: ContentProps) {
  const created = moment(appointment.createdAt);
  return (
    <Facts>
      <Fact name="Price">{moneyText(appointment.priceMinor, appointment.currency) || 'Not set'}</Fact>
      {appointment.customerId && (
        <Fact name="Customer">
          <TextLink to={paths.customer(businessId, appointment.customerId)}>
            {customerOf(appointment)}
          </TextLink>
        </Fact>
      )}
      <Fact name="Phone">
        {appointment.customerPhone ? <PhoneLink phone={appointment.customerPhone} /> : 'None'}
      </Fact>
      {appointment.notes && <Fact name="Notes">{appointment.notes}</Fact>}
      <Fact name="Booked">
        {created && dateAndTime(created, zone)}
        {appointment.callId && (
          <>
            {' in '}
            <TextLink to={paths.call(businessId, appointment.callId)}>this call</TextLink>
          </>
        )}
      </Fact>
    </Facts>
  );
}

import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Layers2 } from 'lucide-react';
import { useState } from 'react';
import { may } from '../../api/access';
import { fetchedAhead } from '../../api/fetched-ahead';
import { CancelDialog } from '../../appointments/cancel-dialog';
import { ConflictsOf } from '../../appointments/conflicts';
import { isTold } from '../../appointments/contact-words';
import { Contacts } from '../../appointments/contacts';
import { lengthText } from '../../appointments/item-length';
import { appointmentQuery } from '../../appointments/queries';
import { AppointmentBadge, isCancellable } from '../../appointments/state';
import type { Person } from '../../day/columns';
import { type Destination, isMovable } from '../../day/move-visit';
import { customerOf } from '../../day/naming';
import type { Catalogue } from '../../day/visit-cards';
import { AppointmentAccess, ProposalAccess } from '../../gen/access';
import type { Appointment, AppointmentStep } from '../../gen/frontdesk/scheduling/v1/appointment_pb';
import type { DayVisit } from '../../gen/frontdesk/scheduling/v1/day_pb';
import type { Contact } from '../../gen/frontdesk/scheduling/v1/schedule_pb';
import { TextLink } from '../../layout/links';
import { Reading } from '../../layout/reading';
import { paths } from '../../paths';
import { DelayDialog, isDelayable } from '../../proposals/delay-dialog';
import { dateAndTime, dayName, moment, timeSpan } from '../../time/zoned';
import { Button } from '../../ui/button';
import { Drawer } from '../../ui/drawer';
import { Fact, Facts } from '../../ui/facts';
import { moneyText } from '../../ui/money';
import { PhoneLink } from '../../ui/phone-link';
import { RowsSkeleton } from '../../ui/skeleton';
import { Note } from '../../ui/states';
import { Figures, H3, Muted, Text } from '../../ui/text';
import { MoveForm } from './move-form';
import type { Told } from './use-moves';
import { VisitSteps } from './visit-steps-row';

const MoveDialog = fetchedAhead(() =>
  import('../../booking/move-dialog').then(({ MoveDialog }) => MoveDialog),
);

type DrawerProps = {
  businessId: string;
  appointmentId: string;
  /** As it stands in the schedule, to be seen until all of it is read. */
  listed: DayVisit | undefined;
  zone: string;
  role: string;
  employees: readonly Person[];
  catalogue: Catalogue;
  onMove: (visit: Appointment, to: Destination, told: Told) => void;
  onClose: () => void;
};

/** Everything about a visit, and everything that can be done with it from here. */
export function VisitDrawer(props: DrawerProps) {
  const { businessId, appointmentId, listed, onClose } = props;
  const query = useQuery(appointmentQuery(businessId, appointmentId));
  const [read, shown] = [query.data?.appointment, listed?.appointment];
  const isAhead = read && shown && shown.version > read.version;
  const visit = isAhead ? shown : (read ?? shown);
  const steps = visit === shown ? listed?.steps : query.data?.steps;
  const contacts = query.data?.contacts ?? listed?.contacts ?? [];
  const stepBack = visit === shown ? undefined : query.data?.stepBack;
  return (
    <Drawer title={visit ? customerOf(visit) : 'Visit'} onClose={onClose}>
      {visit ? (
        <Content {...props} visit={visit} steps={steps ?? []} stepBack={stepBack} contacts={contacts} />
      ) : (
        <Reading query={query} what="This visit" skeleton={<RowsSkeleton rows={3} label="Loading visit" />}>
          {() => null}
        </Reading>
      )}
    </Drawer>
  );
}

type ContentProps = DrawerProps & {
  visit: Appointment;
  steps: readonly AppointmentStep[];
  stepBack: AppointmentStep | undefined;
  contacts: readonly Contact[];
};

function Content(props: ContentProps) {
  const { businessId, visit, steps, stepBack, contacts, zone, role, onClose } = props;
  const [doing, setDoing] = useState<'move' | 'change' | 'cancel' | 'delay' | null>(null);
  const [from, to] = [moment(visit.startsAt), moment(visit.endsAt)];
  const when = from && to ? `${dayName(from, zone, new Date())}, ${timeSpan(from, to, zone)}` : '';
  const movable = isMovable(visit) && may(AppointmentAccess.moveAppointment, role);
  const delayable = isDelayable(visit) && may(ProposalAccess.delayAppointment, role);
  const cancellable = isCancellable(visit.state) && may(AppointmentAccess.cancelAppointment, role);
  return (
    <Stack gap="5">
      <Flex gap="3" wrap="wrap" align="center">
        <Text fontWeight="550">{when}</Text>
        <AppointmentBadge state={visit.state} />
      </Flex>
      {visit.squeezedIn && (
        <Note tone="info" icon={Layers2}>
          Squeezed in beside whatever else takes the time.
        </Note>
      )}
      <ConflictsOf businessId={businessId} appointmentId={visit.id} zone={zone} />
      <Contacts contacts={contacts} zone={zone} />
      <VisitSteps businessId={businessId} visit={visit} steps={steps} stepBack={stepBack} />
      <Items visit={visit} zone={zone} />
      {doing === 'change' ? (
        <MoveForm {...props} onDone={onClose} onLeave={() => setDoing(null)} />
      ) : (
        (movable || delayable || cancellable) && (
          <Flex gap="2" wrap="wrap">
            {movable && <Button onClick={() => setDoing('move')}>Move…</Button>}
            {movable && <Button onClick={() => setDoing('change')}>Time, stylist, length…</Button>}
            {delayable && <Button onClick={() => setDoing('delay')}>Running late…</Button>}
            {cancellable && (
              <Button variant="dangerOutline" onClick={() => setDoing('cancel')}>
                Cancel appointment
              </Button>
            )}
          </Flex>
        )
      )}
      <Details businessId={businessId} visit={visit} zone={zone} />
      <TextLink to={paths.appointment(businessId, visit.id)} alignSelf="flex-start" py="2">
        Open its page
      </TextLink>
      {doing === 'move' && (
        <MoveDialog
          businessId={businessId}
          appointment={visit}
          zone={zone}
          undoable={!isTold(contacts) && !props.listed?.items.some((item) => item.isStranded)}
          onClose={() => setDoing(null)}
        />
      )}
      {doing === 'delay' && (
        <DelayDialog businessId={businessId} appointment={visit} zone={zone} onClose={() => setDoing(null)} />
      )}
      {doing === 'cancel' && (
        <CancelDialog
          businessId={businessId}
          appointment={visit}
          when={when}
          zone={zone}
          onClose={() => setDoing(null)}
        />
      )}
    </Stack>
  );
}

function Items({ visit, zone }: { visit: Appointment; zone: string }) {
  return (
    <Box as="ul" aria-label="Services" listStyleType="none" borderBottom="1px solid" borderColor="line">
      {visit.items.map((item) => {
        const [from, to] = [moment(item.startsAt), moment(item.endsAt)];
        const resources = item.resources.map(({ resourceName }) => resourceName).join(', ');
        const whom = item.employeeName ? `with ${item.employeeName}` : 'Unassigned';
        return (
          <Box
            as="li"
            key={`${item.serviceId}-${item.guest}-${from?.getTime()}`}
            py="3"
            borderTop="1px solid"
            borderColor="line"
          >
            <Flex gap="4" justify="space-between">
              <H3 overflowWrap="anywhere">{item.serviceName}</H3>
              {from && to && <Figures whiteSpace="nowrap">{timeSpan(from, to, zone)}</Figures>}
            </Flex>
            <Muted>{[whom, resources].filter(Boolean).join(' · ')}</Muted>
            <Muted>{lengthText(item)}</Muted>
          </Box>
        );
      })}
    </Box>
  );
}

function Details({ businessId, visit, zone }: { businessId: string; visit: Appointment; zone: string }) {
  const created = moment(visit.createdAt);
  return (
    <Facts>
      {visit.customerId && (
        <Fact name="Customer">
          <TextLink to={paths.customer(businessId, visit.customerId)}>{customerOf(visit)}</TextLink>
        </Fact>
      )}
      <Fact name="Phone">{visit.customerPhone ? <PhoneLink phone={visit.customerPhone} /> : 'None'}</Fact>
      <Fact name="Price">{moneyText(visit.priceMinor, visit.currency) || 'Not set'}</Fact>
      {visit.notes && <Fact name="Notes">{visit.notes}</Fact>}
      {visit.occurrence > 0 && <Fact name="Series">Visit {visit.occurrence} of its series</Fact>}
      <Fact name="Booked">
        {created && dateAndTime(created, zone)}
        {visit.callId && (
          <>
            {' in '}
            <TextLink to={paths.call(businessId, visit.callId)}>this call</TextLink>
          </>
        )}
      </Fact>
    </Facts>
  );
}

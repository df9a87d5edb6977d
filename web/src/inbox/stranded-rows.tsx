import { Box, chakra, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CalendarClock, CalendarX2, Check, Clock, PhoneOff, Users, UserX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { may } from '../api/access';
import { useAction } from '../api/action';
import { CancelDialog } from '../appointments/cancel-dialog';
import { appointmentQuery } from '../appointments/queries';
import { calledText, isOver, whyText } from '../appointments/stranded-words';
import { ToldDialog } from '../appointments/told-dialog';
import { useNoAnswer } from '../appointments/use-no-answer';
import { MoveDialog } from '../booking/move-dialog';
import { OtherStylistDialog } from '../booking/other-stylist-dialog';
import { CONTACT_HIDDEN } from '../business/contact-policy';
import { readVisitsAgain } from '../business/read-visits-again';
import { undoAction } from '../business/undo-change';
import { dueText } from '../follow-ups/due';
import { DueAndOwner } from '../follow-ups/due-and-owner';
import { AppointmentAccess, DayAccess, WaitlistAccess } from '../gen/access';
import { type Appointment, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import type { StrandedAppointment } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { messageOf } from '../http/errors';
import { VisitLink } from '../layout/visit-link';
import { inSentence } from '../time/in-sentence';
import { dayName, moment, timeOfDay } from '../time/zoned';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { PhoneLink } from '../ui/phone-link';
import { Refusal } from '../ui/states';
import { Figures, Muted, ScreenReaderOnly, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { WaitDialog } from '../waitlist/wait-dialog';
import { ownerOf } from './due';

type Dialog = 'move' | 'stylist' | 'wait' | 'cancel' | 'told';

type StrandedRowProps = {
  businessId: string;
  line: StrandedAppointment;
  zone: string;
  role: string;
  now: Date;
};

/**
 * A customer whose employee is not at work then: who, when, why, what was tried, and every way to settle it; once the
 * visit is over, every answer to what became of it.
 */
export function StrandedRow({ businessId, line, zone, role, now }: StrandedRowProps) {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const customer = line.customerName || 'Walk-in';
  const start = moment(line.startsAt);
  const when = start ? `${dayName(start, zone, now)}, ${timeOfDay(start, zone)}` : '';
  const visit = `${inSentence(when)}${line.employeeName && ` with ${line.employeeName}`}`;
  const called = useNoAnswer(businessId, line, when);
  const stayedAway = useAction(AppointmentService.method.setAppointmentState, {
    onDone: ({ changeId }) => {
      void readVisitsAgain();
      toasts.show(
        'good',
        `${customer} did not come ${visit}.`,
        undoAction(businessId, changeId, `${customer} is open in the inbox again.`),
      );
    },
    onRefused: () => void readVisitsAgain(),
  });
  const calls = calledText(line.contacts, zone, now);
  const over = isOver(line, now);
  return (
    <Stack gap="3" px={{ base: '4', sm: '6' }} py="4" borderTop="1px solid" borderColor="line">
      <Stack gap="0.5">
        <Flex columnGap="3" rowGap="1" wrap="wrap" align="center">
          <Text fontWeight="600">
            <VisitLink businessId={businessId} appointmentId={line.appointmentId}>
              {customer}
            </VisitLink>
          </Text>
          {line.contactHidden ? (
            <Muted as="span">Phone: {CONTACT_HIDDEN.toLowerCase()}</Muted>
          ) : (
            line.customerPhone && <PhoneLink phone={line.customerPhone} />
          )}
          <Badge tone="warn">{whyText(line, over)}</Badge>
        </Flex>
        <Text>
          {over ? `Was to come ${inSentence(when)}` : <Figures>{when}</Figures>}
          {line.employeeName && ` with ${line.employeeName}`}
          {over && '; what became of it?'}
          {line.serviceNames.length > 0 && <Muted as="span"> · {line.serviceNames.join(', ')}</Muted>}
        </Text>
        <Flex columnGap="3" rowGap="1" wrap="wrap" align="center">
          <DueAndOwner
            due={dueText(line.startsAt, zone, now)}
            owner={ownerOf(AppointmentAccess.moveAppointment)}
          />
          {calls && <Muted as="span">{calls}</Muted>}
        </Flex>
      </Stack>
      <Flex
        gap="2"
        wrap="wrap"
        role="group"
        aria-label={`Settle the visit of ${customer}`}
        // Two by two on a phone.
        display={{ base: 'grid', sm: 'flex' }}
        gridTemplateColumns="repeat(2, minmax(0, 1fr))"
      >
        {over && may(AppointmentAccess.setAppointmentState, role) && (
          <Way
            icon={<UserX size={18} aria-hidden />}
            onPress={() =>
              stayedAway.act({
                businessId,
                appointmentId: line.appointmentId,
                state: AppointmentState.NO_SHOW,
              })
            }
            loading={stayedAway.running}
            for={customer}
          >
            No-show
          </Way>
        )}
        {!over && may(AppointmentAccess.moveAppointment, role) && (
          <>
            <Way
              icon={<CalendarClock size={18} aria-hidden />}
              onPress={() => setDialog('move')}
              for={customer}
            >
              Another time
            </Way>
            <Way icon={<Users size={18} aria-hidden />} onPress={() => setDialog('stylist')} for={customer}>
              Another stylist
            </Way>
          </>
        )}
        {!over && may(WaitlistAccess.moveToWaitlist, role) && line.customerName && (
          <Way icon={<Clock size={18} aria-hidden />} onPress={() => setDialog('wait')} for={customer} quiet>
            Waitlist
          </Way>
        )}
        {may(AppointmentAccess.cancelAppointment, role) && (
          <Way
            icon={<CalendarX2 size={18} aria-hidden />}
            onPress={() => setDialog('cancel')}
            for={customer}
            quiet
          >
            Cancel the visit
          </Way>
        )}
        {may(DayAccess.recordContact, role) && (
          <>
            {!over && (
              <Way
                icon={<PhoneOff size={18} aria-hidden />}
                onPress={called.note}
                loading={called.running}
                for={customer}
                quiet
              >
                Called, no answer
              </Way>
            )}
            <Way
              icon={<Check size={18} aria-hidden />}
              onPress={() => setDialog('told')}
              for={customer}
              quiet
            >
              Customer told
            </Way>
          </>
        )}
      </Flex>
      <Refusal>{called.error && messageOf(called.error, 'The call could not be noted.')}</Refusal>
      <Refusal>{stayedAway.error && messageOf(stayedAway.error, 'It could not be recorded.')}</Refusal>
      {dialog === 'told' && (
        <ToldDialog
          businessId={businessId}
          line={line}
          when={when}
          over={over}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog && dialog !== 'told' && (
        <OfVisit businessId={businessId} appointmentId={line.appointmentId}>
          {(appointment) => {
            const known = { businessId, appointment, zone, onClose: () => setDialog(null) };
            switch (dialog) {
              case 'move':
                return <MoveDialog {...known} anyone />;
              case 'stylist':
                return (
                  <OtherStylistDialog
                    {...known}
                    employeeId={line.employeeId}
                    onAnotherTime={() => setDialog('move')}
                  />
                );
              case 'wait':
                return <WaitDialog {...known} />;
              default:
                return <CancelDialog {...known} when={when} />;
            }
          }}
        </OfVisit>
      )}
    </Stack>
  );
}

type WayProps = {
  icon: ReactNode;
  /** Whose visit, for those who hear it. */
  for: string;
  quiet?: boolean;
  loading?: boolean;
  onPress: () => void;
  children: ReactNode;
};

function Way({ icon, for: customer, quiet = false, loading = false, onPress, children }: WayProps) {
  return (
    <Button
      variant={quiet ? 'quiet' : 'outline'}
      px={quiet ? '2.5' : '3.5'}
      loading={loading}
      onClick={onPress}
    >
      <chakra.span display={{ base: 'none', sm: 'inline-flex' }}>{icon}</chakra.span>
      {children}
      <ScreenReaderOnly> for {customer}</ScreenReaderOnly>
    </Button>
  );
}

type OfVisitProps = {
  businessId: string;
  appointmentId: string;
  children: (appointment: Appointment) => ReactNode;
};

/** What needs the whole visit, which the line has not. */
function OfVisit({ businessId, appointmentId, children }: OfVisitProps) {
  const { data, error } = useQuery(appointmentQuery(businessId, appointmentId));
  if (error && !data) return <Refusal>{messageOf(error, 'The visit can’t be shown.')}</Refusal>;
  return <Box>{data?.appointment && children(data.appointment)}</Box>;
}

import { Box, Flex, Grid, Stack } from '@chakra-ui/react';
import { CalendarClock, CalendarX2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { may } from '../api/access';
import { CancelDialog } from '../appointments/cancel-dialog';
import { isCancellable } from '../appointments/state';
import { MoveDialog } from '../booking/move-dialog';
import { customerOf, servicesOf } from '../day/naming';
import { DueAndOwner } from '../follow-ups/due-and-owner';
import { AppointmentAccess } from '../gen/access';
import { BusyOrigin } from '../gen/frontdesk/scheduling/v1/busy_source_pb';
import type { Conflict } from '../gen/frontdesk/scheduling/v1/conflict_pb';
import { VisitLink } from '../layout/visit-link';
import { dayName, moment, timeSpan } from '../time/zoned';
import { Button } from '../ui/button';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { conflictDue, ownerOf } from './due';

const ORIGINS: Record<BusyOrigin, string> = {
  [BusyOrigin.UNSPECIFIED]: 'Another system',
  [BusyOrigin.CALENDAR]: 'Calendar',
  [BusyOrigin.PROVIDER]: 'Booking system',
};

type ConflictRowProps = { businessId: string; conflict: Conflict; zone: string; role: string; now: Date };

/** An employee who is booked and busy at once: both sides, and the ways to solve it. */
export function ConflictRow({ businessId, conflict, zone, role, now }: ConflictRowProps) {
  const [dialog, setDialog] = useState<'move' | 'cancel' | null>(null);
  const { appointment } = conflict;
  const close = () => setDialog(null);
  if (!appointment) return null;
  const customer = customerOf(appointment);
  const open = isCancellable(appointment.state);
  const when = span(appointment.startsAt, appointment.endsAt, zone);
  return (
    <Stack gap="3" px={{ base: '4', sm: '6' }} py="4" borderTop="1px solid" borderColor="line">
      <Stack gap="0.5">
        <Text fontWeight="600">{conflict.employeeName} is booked and busy at once</Text>
        <Flex columnGap="3" rowGap="1" wrap="wrap" align="center">
          <DueAndOwner
            due={conflictDue(conflict, zone, now)}
            owner={ownerOf(AppointmentAccess.moveAppointment)}
          />
        </Flex>
      </Stack>
      <Grid gap="3" gridTemplateColumns={{ base: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' }}>
        <Side name="Booking" when={when}>
          <VisitLink businessId={businessId} appointmentId={appointment.id}>
            {customer}
          </VisitLink>
          , {servicesOf(appointment)}
        </Side>
        <Side name={ORIGINS[conflict.origin]} when={span(conflict.startsAt, conflict.endsAt, zone)}>
          {conflict.title || 'Busy'}
        </Side>
      </Grid>
      {open && (
        <Flex gap="2" wrap="wrap">
          {may(AppointmentAccess.moveAppointment, role) && (
            <Button onClick={() => setDialog('move')}>
              <CalendarClock size={18} aria-hidden />
              Another time
              <ScreenReaderOnly> for {customer}</ScreenReaderOnly>
            </Button>
          )}
          {may(AppointmentAccess.cancelAppointment, role) && (
            <Button variant="quiet" onClick={() => setDialog('cancel')}>
              <CalendarX2 size={18} aria-hidden />
              Cancel the visit
              <ScreenReaderOnly> of {customer}</ScreenReaderOnly>
            </Button>
          )}
        </Flex>
      )}
      {dialog === 'move' && (
        <MoveDialog businessId={businessId} appointment={appointment} zone={zone} onClose={close} />
      )}
      {dialog === 'cancel' && (
        <CancelDialog
          businessId={businessId}
          appointment={appointment}
          when={when}
          zone={zone}
          onClose={close}
        />
      )}
    </Stack>
  );
}

function Side({ name, when, children }: { name: string; when: string; children: ReactNode }) {
  return (
    <Box px="3.5" py="2.5" bg="bg.sunken" borderRadius="button" minWidth="0">
      <Muted fontSize="0.8125rem">{name}</Muted>
      <Text fontWeight="500">{children}</Text>
      <Muted>{when}</Muted>
    </Box>
  );
}

function span(startsAt: Conflict['startsAt'], endsAt: Conflict['endsAt'], zone: string): string {
  const [from, to] = [moment(startsAt), moment(endsAt)];
  return from && to ? `${dayName(from, zone, new Date())}, ${timeSpan(from, to, zone)}` : '';
}

import { Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CalendarCheck } from 'lucide-react';
import { servicesOf } from '../day/naming';
import { VisitRowLink } from '../layout/visit-link';
import { dayName, moment, timeOfDay } from '../time/zoned';
import { Muted } from '../ui/text';
import { appointmentQuery } from './queries';
import { AppointmentBadge } from './state';

/** A link to an appointment that says which one it is, as soon as that is known. */
export function AppointmentReference({
  businessId,
  appointmentId,
  note = '',
}: {
  businessId: string;
  appointmentId: string;
  /** What else is said of it. */
  note?: string;
}) {
  const { data } = useQuery(appointmentQuery(businessId, appointmentId));
  const starts = moment(data?.appointment?.startsAt);
  const when =
    starts && data
      ? `${dayName(starts, data.timeZone, new Date())} at ${timeOfDay(starts, data.timeZone)}`
      : '';
  return (
    <Flex
      position="relative"
      gap="3.5"
      p="4"
      align="flex-start"
      border="1px solid"
      borderColor="line"
      borderRadius="button"
      _hover={{ bg: 'bg.hover' }}
      transition="colors"
    >
      <Flex color="brand.fg" pt="0.5">
        <CalendarCheck size={20} aria-hidden />
      </Flex>
      <Stack gap="1" minWidth="0" align="flex-start">
        <VisitRowLink businessId={businessId} appointmentId={appointmentId}>
          {when || 'Appointment'}
        </VisitRowLink>
        {data?.appointment && (
          <>
            <Muted>{servicesOf(data.appointment)}</Muted>
            {note && <Muted fontSize="0.875rem">{note}</Muted>}
            <AppointmentBadge state={data.appointment.state} />
          </>
        )}
      </Stack>
    </Flex>
  );
}

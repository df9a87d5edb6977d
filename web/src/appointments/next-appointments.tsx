import { Box, Flex, Grid, Stack } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { CalendarDays } from 'lucide-react';
import { customerOf, employeesOf, servicesOf } from '../day/naming';
import { type Appointment, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { Reading } from '../layout/reading';
import { VisitRowLink } from '../layout/visit-link';
import { dayKey, dayName, moment, timeOfDay } from '../time/zoned';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Figures, H3, Muted } from '../ui/text';
import { useNow } from '../ui/use-now';
import { nextAppointmentPages } from './queries';
import { AppointmentBadge } from './state';

/** The next appointments, by day, in the business's time zone. */
export function NextAppointments({ businessId }: { businessId: string }) {
  const query = useInfiniteQuery(nextAppointmentPages(businessId));
  return (
    <Card title="Next appointments" flush>
      <Reading
        query={query}
        what="The appointments"
        skeleton={<RowsSkeleton rows={6} label="Loading appointments" />}
      >
        {({ pages }) => (
          <>
            <Days
              businessId={businessId}
              appointments={pages.flatMap((page) => page.appointments).filter(isToCome)}
              zone={pages[0]?.timeZone ?? 'UTC'}
              more={query.hasNextPage}
            />
            {query.hasNextPage && (
              <Flex justify="center" py="3">
                <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  Show later ones
                </Button>
              </Flex>
            )}
          </>
        )}
      </Reading>
    </Card>
  );
}

/** No one comes for what is cancelled: it stays on the schedule and with its customer. */
const isToCome = ({ state }: Appointment) => state !== AppointmentState.CANCELLED;

type DaysProps = { businessId: string; appointments: Appointment[]; zone: string; more: boolean };

function Days({ businessId, appointments, zone, more }: DaysProps) {
  const now = useNow(60_000);
  if (appointments.length === 0) {
    return more ? null : (
      <Empty icon={CalendarDays} title="Nothing booked for the next seven days">
        Appointments show up here the moment they are booked, by phone or by hand.
      </Empty>
    );
  }
  return (
    <Stack gap="2">
      {byDay(appointments, zone).map(({ day, visits }) => (
        <Box as="section" key={day} aria-label={dayName(startOf(visits[0]), zone, now)}>
          <H3 px={{ base: '4', sm: '6' }} pt="3" pb="1" color="fg.muted" fontSize="0.875rem">
            {dayName(startOf(visits[0]), zone, now)}
          </H3>
          <Box as="ul" listStyleType="none">
            {visits.map((appointment) => (
              <Row key={appointment.id} businessId={businessId} appointment={appointment} zone={zone} />
            ))}
          </Box>
        </Box>
      ))}
    </Stack>
  );
}

function Row({
  businessId,
  appointment,
  zone,
}: {
  businessId: string;
  appointment: Appointment;
  zone: string;
}) {
  const [from, to] = [startOf(appointment), moment(appointment.endsAt) ?? startOf(appointment)];
  const employees = employeesOf(appointment);
  return (
    <Grid
      as="li"
      position="relative"
      gridTemplateColumns={{ base: '3.75rem minmax(0, 1fr)', sm: '5rem minmax(0, 1fr)' }}
      columnGap="4"
      alignItems="center"
      px={{ base: '4', sm: '6' }}
      py="3"
      transition="colors"
      _hover={{ bg: 'bg.hover' }}
    >
      <Stack gap="0" lineHeight="1.35" whiteSpace="nowrap">
        <Figures fontWeight="650">{timeOfDay(from, zone)}</Figures>
        <Figures color="fg.muted" fontSize="0.875rem">
          {timeOfDay(to, zone)}
        </Figures>
      </Stack>
      <Stack gap="0.5" minWidth="0" borderInlineStart="3px solid" borderColor="brand.solid" ps="3.5">
        <Flex gap="2" align="center" justify="space-between" wrap="wrap">
          <VisitRowLink businessId={businessId} appointmentId={appointment.id}>
            {customerOf(appointment)}
          </VisitRowLink>
          <AppointmentBadge state={appointment.state} />
        </Flex>
        <Muted>
          {servicesOf(appointment)}
          {employees && ` · with ${employees}`}
        </Muted>
      </Stack>
    </Grid>
  );
}

function startOf(appointment: Appointment | undefined): Date {
  return moment(appointment?.startsAt) ?? new Date(0);
}

function byDay(appointments: Appointment[], zone: string): { day: string; visits: Appointment[] }[] {
  const days = new Map<string, Appointment[]>();
  for (const appointment of appointments) {
    const day = dayKey(startOf(appointment), zone);
    days.set(day, [...(days.get(day) ?? []), appointment]);
  }
  return [...days].map(([day, visits]) => ({ day, visits }));
}

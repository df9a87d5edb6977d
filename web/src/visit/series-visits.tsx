import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { AppointmentBadge } from '../appointments/state';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { Reading } from '../layout/reading';
import { VisitLink } from '../layout/visit-link';
import { seriesQuery } from '../series/queries';
import { dayName, moment, timeOfDay } from '../time/zoned';
import { RowsSkeleton } from '../ui/skeleton';
import { H3, Text } from '../ui/text';

type SeriesVisitsProps = { businessId: string; visit: Appointment; zone: string };

/** The visits that were booked with this one, which repeats. */
export function SeriesVisits({ businessId, visit, zone }: SeriesVisitsProps) {
  const query = useQuery(seriesQuery(businessId, visit.seriesId));
  return (
    <Stack as="section" gap="1" aria-label="Series">
      <Reading
        query={query}
        what="The series"
        skeleton={<RowsSkeleton rows={2} label="Loading the series" />}
      >
        {({ series }) => (
          <>
            <H3>
              Visit {visit.occurrence} of {series?.appointments.length ?? visit.occurrence} of its series
            </H3>
            <Box as="ul" listStyleType="none">
              {series?.appointments.map(({ id, startsAt, state }) => {
                const at = moment(startsAt);
                const when = at ? `${dayName(at, zone, new Date())}, ${timeOfDay(at, zone)}` : 'A visit';
                return (
                  <Flex as="li" key={id} gap="3" py="1" justify="space-between" align="center">
                    {id === visit.id ? (
                      <Text as="span" fontWeight="600">
                        {when}
                      </Text>
                    ) : (
                      <VisitLink businessId={businessId} appointmentId={id}>
                        {when}
                      </VisitLink>
                    )}
                    <AppointmentBadge state={state} />
                  </Flex>
                );
              })}
            </Box>
          </>
        )}
      </Reading>
    </Stack>
  );
}

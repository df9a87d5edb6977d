import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AppointmentBadge } from '../appointments/state';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { Reading } from '../layout/reading';
import { VisitLink } from '../layout/visit-link';
import { seriesQuery } from '../series/queries';
import { dayName, moment, timeOfDay } from '../time/zoned';
import { Button } from '../ui/button';
import { RowsSkeleton } from '../ui/skeleton';
import { H3, Text } from '../ui/text';

type SeriesVisitsProps = { businessId: string; visit: Appointment; zone: string };

/** So many of a series are seen at a glance, and of a longer one those around the visit. */
const AT_A_GLANCE = 8;
const [BEFORE, AFTER] = [1, 4];

const isNear = (one: Appointment, visit: Appointment) =>
  one.occurrence >= visit.occurrence - BEFORE && one.occurrence <= visit.occurrence + AFTER;

/** The visits that were booked with this one, which repeats; of many the nearest, and all on demand. */
export function SeriesVisits({ businessId, visit, zone }: SeriesVisitsProps) {
  const [whole, setWhole] = useState(false);
  const query = useQuery(seriesQuery(businessId, visit.seriesId));
  const shownOf = (all: readonly Appointment[]) =>
    whole || all.length <= AT_A_GLANCE ? all : all.filter((one) => isNear(one, visit));
  return (
    <Stack as="section" gap="1" aria-label="Series">
      <Reading
        query={query}
        what="The series"
        skeleton={<RowsSkeleton rows={2} label="Loading the series" />}
      >
        {({ series: { appointments: all } = { appointments: [visit] } }) => (
          <>
            <H3>
              Visit {visit.occurrence} of {all.length} of its series
            </H3>
            <Box as="ul" listStyleType="none">
              {shownOf(all).map(({ id, startsAt, state }) => {
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
            {shownOf(all).length < all.length && (
              <Button alignSelf="flex-start" onClick={() => setWhole(true)}>
                Show all {all.length} visits
              </Button>
            )}
          </>
        )}
      </Reading>
    </Stack>
  );
}

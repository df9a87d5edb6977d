import { Box, Stack } from '@chakra-ui/react';
import { useState } from 'react';
import type { StrandedAppointment } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { dayName, moment, timeOfDay } from '../time/zoned';
import { Button } from '../ui/button';
import { Figures, Muted, Text } from '../ui/text';

/** As many as can be taken in at a glance. */
const FEW = 6;

type StrandedNamesProps = { stranded: readonly StrandedAppointment[]; zone: string };

/** Whose visits have no employee, and when they are. */
export function StrandedNames({ stranded, zone }: StrandedNamesProps) {
  const [all, setAll] = useState(false);
  const shown = all ? stranded : stranded.slice(0, FEW);
  return (
    <Stack gap="2">
      <Box
        as="ul"
        listStyleType="none"
        aria-label="Customers to settle"
        border="1px solid"
        borderColor="line"
        borderRadius="button"
      >
        {shown.map(({ appointmentId, startsAt, customerName, employeeName }) => {
          const at = moment(startsAt);
          return (
            <Box
              as="li"
              key={appointmentId}
              px="3.5"
              py="2"
              borderTop="1px solid"
              borderColor="line"
              _first={{ borderTop: 'none' }}
            >
              <Text fontWeight="550">{customerName || 'Walk-in'}</Text>
              <Muted>
                <Figures>{at && `${dayName(at, zone, new Date())}, ${timeOfDay(at, zone)}`}</Figures>
                {employeeName && ` with ${employeeName}`}
              </Muted>
            </Box>
          );
        })}
      </Box>
      {shown.length < stranded.length && (
        <Button variant="quiet" alignSelf="flex-start" onClick={() => setAll(true)}>
          Show all {stranded.length}
        </Button>
      )}
    </Stack>
  );
}

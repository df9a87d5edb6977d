import { Box, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import type { SyncedAppointment } from '../gen/frontdesk/calendarsync/v1/appointment_sync_pb';
import { asSentence } from '../http/errors';
import { Reading } from '../layout/reading';
import { runtime } from '../runtime';
import { daysText } from '../time/days-text';
import { dateAndTime, moment } from '../time/zoned';
import { Drawer } from '../ui/drawer';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { syncHistoryQuery } from './queries';
import { stepText } from './wording';

type HistoryDrawerProps = {
  businessId: string;
  appointment: SyncedAppointment;
  zone: string;
  onClose: () => void;
};

/** What happened to an appointment on each side, newest first. */
export function HistoryDrawer({ businessId, appointment, zone, onClose }: HistoryDrawerProps) {
  const { keptDays } = runtime();
  const query = useQuery(syncHistoryQuery(businessId, appointment.appointmentId));
  return (
    <Drawer title={`History of ${appointment.title || 'the appointment'}`} onClose={onClose}>
      <Reading query={query} what="The history" skeleton={<RowsSkeleton rows={4} label="Loading history" />}>
        {({ lines }) =>
          lines.length === 0 ? (
            <Empty
              icon={History}
              title={`Nothing happened${keptDays ? ` in the last ${daysText(keptDays.syncHistory)}` : ''}`}
            >
              What is older is not kept.
            </Empty>
          ) : (
            <Box as="ol" listStyleType="none" aria-label="History">
              {lines.map(({ at, step, calendarName, fault }, index) => {
                const when = moment(at);
                return (
                  <Stack
                    as="li"
                    // Lines have no id, and are only added in front when the drawer opens anew.
                    key={index}
                    gap="0"
                    py="2.5"
                    borderTop="1px solid"
                    borderColor="line"
                    _first={{ borderTop: 'none' }}
                  >
                    <Text fontWeight="550">
                      {stepText(step)}: {calendarName}
                    </Text>
                    <Muted fontSize="0.875rem">{when && dateAndTime(when, zone)}</Muted>
                    {fault && <Muted fontSize="0.875rem">{asSentence(fault)}</Muted>}
                  </Stack>
                );
              })}
            </Box>
          )
        }
      </Reading>
    </Drawer>
  );
}

import { Box, Stack } from '@chakra-ui/react';
import { CalendarDays } from 'lucide-react';
import type { Column } from '../../day/columns';
import { entriesOn } from '../../day/day-entries';
import { Surface } from '../../ui/card';
import { Empty } from '../../ui/states';
import { H2 } from '../../ui/text';
import { BlockRow, VisitRow } from './visit-row';

type VisitListProps = {
  days: readonly string[];
  columns: readonly Column[];
  dayTitle: (day: string) => string;
  /** They are of one employee. */
  alone: boolean;
  onOpen: (appointmentId: string) => void;
  onBlock: (blockId: string) => void;
};

/** The same visits and blocked time by time, where there is no room for columns. */
export function VisitList({ days, columns, dayTitle, alone, onOpen, onBlock }: VisitListProps) {
  const filled = days
    .map((day) => ({ day, entries: entriesOn(day, columns) }))
    .filter(({ entries }) => entries.length > 0);
  if (filled.length === 0) {
    return (
      <Surface>
        <Empty icon={CalendarDays} title={days.length > 1 ? 'Nothing booked this week' : 'Nothing booked'}>
          Visits stand here as soon as they are booked, at the desk or on the phone.
        </Empty>
      </Surface>
    );
  }
  return (
    <Stack gap="4">
      {filled.map(({ day, entries }) => (
        <Surface key={day} overflow="hidden">
          {days.length > 1 && (
            <H2 px="4" pt="3.5" pb="2" fontSize="1rem" fontWeight="600">
              {dayTitle(day)}
            </H2>
          )}
          <Box as="ul" aria-label={`Visits, ${dayTitle(day)}`} listStyleType="none">
            {entries.map((entry) => (
              <Box
                as="li"
                key={entry.key}
                borderTop="1px solid"
                borderColor="line"
                _first={{ borderTop: 'none' }}
              >
                {'card' in entry ? (
                  <VisitRow card={entry.card} alone={alone} onOpen={onOpen} />
                ) : (
                  <BlockRow block={entry.block} onOpen={onBlock} />
                )}
              </Box>
            ))}
          </Box>
        </Surface>
      ))}
    </Stack>
  );
}

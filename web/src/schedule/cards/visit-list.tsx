import { Box, Stack } from '@chakra-ui/react';
import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import type { Column } from '../../day/columns';
import { type DayEntry, entriesOn, isSettled } from '../../day/day-entries';
import { minuteOn } from '../../time/local-day';
import { Button } from '../../ui/button';
import { Surface } from '../../ui/card';
import { Empty } from '../../ui/states';
import { H2 } from '../../ui/text';
import { useNow } from '../../ui/use-now';
import { BlockRow, VisitRow } from './visit-row';

type VisitListProps = {
  days: readonly string[];
  columns: readonly Column[];
  today: string;
  zone: string;
  dayTitle: (day: string) => string;
  /** They are of one employee. */
  alone: boolean;
  onOpen: (appointmentId: string) => void;
  onBlock: (blockId: string) => void;
};

/** The same visits and blocked time by time, where there is no room for columns. */
export function VisitList(props: VisitListProps) {
  const { days, columns, today, zone, dayTitle, ...rest } = props;
  const filled = days
    .map((day) => ({ day, entries: entriesOn(day, columns) }))
    .filter(({ entries }) => entries.length > 0);
  if (filled.length === 0) {
    const works = columns.some(({ working }) => working.length > 0);
    return (
      <Surface>
        <Empty icon={CalendarDays} title={emptyTitle(works, rest.alone, days.length > 1)}>
          {works
            ? 'Visits appear here as soon as they are booked, at the desk or on the phone.'
            : `Choose another ${days.length > 1 ? 'week' : 'day'} above.`}
        </Empty>
      </Surface>
    );
  }
  return (
    <Stack gap="4">
      {filled.map(({ day, entries }) => (
        <Surface key={day} overflow="hidden">
          {days.length > 1 && (
            <H2 px="4" pt="3.5" pb="2">
              {dayTitle(day)}
            </H2>
          )}
          {day === today ? (
            <Today {...rest} key={day} day={day} zone={zone} entries={entries} label={dayTitle(day)} />
          ) : (
            <Entries {...rest} entries={entries} label={dayTitle(day)} />
          )}
        </Surface>
      ))}
    </Stack>
  );
}

function emptyTitle(works: boolean, alone: boolean, isWeek: boolean): string {
  if (works) return isWeek ? 'Nothing booked this week' : 'Nothing booked';
  return `${alone ? 'Not working' : 'No one works'} ${isWeek ? 'this week' : 'on this day'}`;
}

type EntriesProps = Pick<VisitListProps, 'alone' | 'onOpen' | 'onBlock'> & {
  entries: readonly DayEntry[];
  label: string;
  /** A row is opened. */
  onPress?: (key: string) => void;
};

/** A day that is under way begins with what is left of it. */
function Today({ day, zone, entries, ...rest }: EntriesProps & { day: string; zone: string }) {
  const minute = minuteOn(useNow(60_000), day, zone);
  const [all, setAll] = useState(false);
  const [opened, setOpened] = useState('');
  // Focus returns to the row that was opened, though its visit was settled since.
  const left = entries.filter((entry) => entry.key === opened || !isSettled(entry, minute));
  const settled = entries.length - left.length;
  // A day that is over is shown as it was.
  const folds = settled > 0 && !entries.every((entry) => isSettled(entry, minute));
  return (
    <>
      {folds && (
        <Button
          variant="quiet"
          width="100%"
          borderRadius="0"
          borderBottomColor="line"
          aria-expanded={all}
          onClick={() => {
            setAll(!all);
            setOpened('');
          }}
        >
          {all ? 'Hide' : 'Show'} {settled} earlier
        </Button>
      )}
      <Entries
        {...rest}
        entries={folds && !all ? left : entries}
        onPress={(key) => setOpened(left.some((entry) => entry.key === key) ? key : '')}
      />
    </>
  );
}

function Entries({ entries, label, alone, onPress, onOpen, onBlock }: EntriesProps) {
  const pressed =
    (key: string, open: (id: string) => void) =>
    (id: string): void => {
      onPress?.(key);
      open(id);
    };
  return (
    <Box as="ul" aria-label={`Visits, ${label}`} listStyleType="none">
      {entries.map((entry) => (
        <Box as="li" key={entry.key} borderTop="1px solid" borderColor="line" _first={{ borderTop: 'none' }}>
          {'card' in entry ? (
            <VisitRow card={entry.card} alone={alone} onOpen={pressed(entry.key, onOpen)} />
          ) : (
            <BlockRow block={entry.block} onOpen={pressed(entry.key, onBlock)} />
          )}
        </Box>
      ))}
    </Box>
  );
}

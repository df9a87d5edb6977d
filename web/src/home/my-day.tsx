import { Box } from '@chakra-ui/react';
import { CalendarDays } from 'lucide-react';
import { useNavigate } from 'react-router';
import type { Column } from '../day/columns';
import { entriesOn } from '../day/day-entries';
import { minuteText } from '../day/opening';
import { useOpenVisit } from '../layout/visit-link';
import { paths } from '../paths';
import { BlockRow, VisitRow } from '../schedule/cards/visit-row';
import { Empty } from '../ui/states';
import { Muted } from '../ui/text';

/** The viewer's columns of one day as a list. */
export function MyDay({ businessId, columns }: { businessId: string; columns: readonly Column[] }) {
  const navigate = useNavigate();
  const open = useOpenVisit();
  const entries = entriesOn(columns[0]?.day ?? '', columns);
  const hours = columns
    .flatMap(({ working }) => working)
    .map(({ from, to }) => `${minuteText(from)} – ${minuteText(to)}`)
    .join(', ');
  if (entries.length === 0) {
    return (
      <Empty icon={CalendarDays} title={hours ? 'No visits of yours today' : 'You don’t work today'}>
        {hours
          ? `You work ${hours}. New bookings appear here at once.`
          : 'Visits of other days are in the schedule.'}
      </Empty>
    );
  }
  return (
    <>
      <Muted px={{ base: '4', sm: '6' }} pb="2">
        {hours ? `At work ${hours}` : 'Not working today'}
      </Muted>
      <Box as="ul" aria-label="Your visits today" listStyleType="none">
        {entries.map((entry) => (
          <Box as="li" key={entry.key} borderTop="1px solid" borderColor="line">
            {'card' in entry ? (
              <VisitRow alone card={entry.card} onOpen={open} />
            ) : (
              <BlockRow block={entry.block} onOpen={() => void navigate(paths.schedule(businessId))} />
            )}
          </Box>
        ))}
      </Box>
    </>
  );
}

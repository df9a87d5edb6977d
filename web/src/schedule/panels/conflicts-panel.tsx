import { Box } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { conflictsQuery } from '../../appointments/queries';
import { ConflictRow } from '../../inbox/conflict-rows';
import { Reading } from '../../layout/reading';
import { RowsSkeleton } from '../../ui/skeleton';
import { Empty } from '../../ui/states';
import { useNow } from '../../ui/use-now';
import { conflictsOn } from './conflicts-here';
import { PANEL_EDGE } from './day-panel';

type ConflictsPanelProps = { businessId: string; zone: string; role: string; day: string };

/** Who is booked and busy at once on this day: both sides, and the ways out. */
export function ConflictsPanel({ businessId, zone, role, day }: ConflictsPanelProps) {
  const now = useNow(60_000);
  const query = useQuery(conflictsQuery(businessId));
  return (
    <Reading
      query={query}
      what="The conflicts"
      skeleton={<RowsSkeleton rows={2} label="Loading conflicts" />}
    >
      {(data) => {
        const conflicts = conflictsOn(data.conflicts, day, zone);
        if (conflicts.length === 0) {
          return (
            <Empty icon={CircleCheck} title="No conflicts on this day">
              What other calendars and systems say agrees with what is booked.
            </Empty>
          );
        }
        return (
          <Box as="ul" listStyleType="none" aria-label="Conflicts of this day" mx={PANEL_EDGE} mt="-4">
            {conflicts.map((conflict) => (
              <li key={conflict.id}>
                <ConflictRow businessId={businessId} conflict={conflict} zone={zone} role={role} now={now} />
              </li>
            ))}
          </Box>
        );
      }}
    </Reading>
  );
}

import { Stack } from '@chakra-ui/react';
import { useQueries } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { visitsQuery } from '../schedule/queries';
import { Note } from '../ui/states';
import { Muted } from '../ui/text';
import { NotRead } from './not-read';
import { chunksOf, MOST_DAYS, standingIn, visitsAre } from './stranded';
import { StrandedList } from './stranded-list';

/** A visit that began before may still be under way. */
const LONGEST_VISIT_MS = 24 * 3_600_000;

type BookedThenProps = { businessId: string; zone: string; employeeId: string; from: Date; to: Date };

/** The visits of an employee in a time for which they are about to be away. */
export function BookedThen({ businessId, zone, employeeId, from, to }: BookedThenProps) {
  const parts = useQueries({
    queries: chunksOf(new Date(from.getTime() - LONGEST_VISIT_MS), to, MOST_DAYS).map(([first, last]) =>
      visitsQuery(businessId, first, last),
    ),
  });
  const failed = parts.find(({ error }) => error);
  if (failed) return <NotRead what="Who is booked then" query={failed} />;
  if (parts.some(({ data }) => data === undefined))
    return <Muted role="status">Looking who is booked…</Muted>;
  const stranded = standingIn(
    parts.flatMap(({ data }) => data ?? []),
    employeeId,
    from,
    to,
  );
  if (stranded.length === 0) return <Muted role="status">No visits are booked then.</Muted>;
  return (
    <Stack gap="2">
      <Note tone="warn" icon={TriangleAlert}>
        {visitsAre(stranded.length)} booked then. Time off does not move visits.
      </Note>
      <StrandedList
        businessId={businessId}
        employeeId={employeeId}
        zone={zone}
        label="Booked then"
        stranded={stranded}
      />
    </Stack>
  );
}

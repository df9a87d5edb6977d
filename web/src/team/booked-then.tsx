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

type Span = { from: Date; to: Date };

/**
 * The visits of an employee in a span of time, as far as they are read. Where the span changes while a person types,
 * `base` is the earliest that it may begin: lists are read from there on, so that another span finds them read.
 */
export function useBooked(businessId: string, employeeId: string, span: Span | undefined, base?: Date) {
  const chunks = span ? chunksTouching(span, base ?? span.from) : [];
  const parts = useQueries({ queries: chunks.map(([first, last]) => visitsQuery(businessId, first, last)) });
  const visits = parts.flatMap(({ data }) => data ?? []);
  return {
    failed: parts.find(({ error }) => error),
    looking: parts.some(({ data, error }) => data === undefined && !error),
    stranded: span ? standingIn(visits, employeeId, span.from, span.to) : [],
  };
}

function chunksTouching({ from, to }: Span, base: Date) {
  const before = (at: Date) => new Date(at.getTime() - LONGEST_VISIT_MS);
  return chunksOf(before(base), to, MOST_DAYS).filter(([, end]) => end > before(from));
}

type BookedProps = {
  businessId: string;
  zone: string;
  employeeId: string;
  booked: ReturnType<typeof useBooked>;
  /** "then", in the words of what is about to be saved. */
  when: string;
  /** What becomes of the visits. */
  note: string;
};

/** What an employee is booked for in a time for which they are about to be away. */
export function Booked({ businessId, zone, employeeId, booked, when, note }: BookedProps) {
  const { failed, looking, stranded } = booked;
  if (failed) return <NotRead what={`Who is booked ${when}`} query={failed} />;
  if (looking) return <Muted role="status">Looking who is booked…</Muted>;
  if (stranded.length === 0) return <Muted role="status">No visits are booked {when}.</Muted>;
  return (
    <Stack gap="2">
      <Note tone="warn" icon={TriangleAlert}>
        {visitsAre(stranded.length)} booked {when}. {note}
      </Note>
      <StrandedList
        businessId={businessId}
        employeeId={employeeId}
        zone={zone}
        label={`Booked ${when}`}
        stranded={stranded}
      />
    </Stack>
  );
}

type BookedThenProps = Span & { businessId: string; zone: string; employeeId: string };

/** The same of time off. */
export function BookedThen({ businessId, zone, employeeId, from, to }: BookedThenProps) {
  const booked = useBooked(businessId, employeeId, { from, to });
  const of = { businessId, zone, employeeId, booked };
  return <Booked {...of} when="then" note="Time off does not move visits." />;
}

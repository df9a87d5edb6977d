import { Stack } from '@chakra-ui/react';
import { CalendarX2 } from 'lucide-react';
import { asOfText, doubtText, inDoubt } from '../day/freshness';
import type { BusySource } from '../gen/frontdesk/scheduling/v1/busy_source_pb';
import { Note } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { useNow } from '../ui/use-now';

/** As many as are read before what they are about. */
const AT_MOST = 3;

type FreshnessProps = { sources: readonly BusySource[]; zone: string };

/** The calendars that what is shown depends on and that can’t be relied on now. */
export function Doubts({ sources, zone }: FreshnessProps) {
  const now = useNow(60_000);
  const doubtful = inDoubt(sources);
  if (doubtful.length === 0) return null;
  const more = doubtful.length - AT_MOST;
  return (
    <Note tone="warn" icon={CalendarX2}>
      <Stack as="ul" gap="1" listStyleType="none" aria-label="Calendars that are not current">
        {doubtful.slice(0, AT_MOST).map((source) => (
          <Text as="li" key={source.sourceId} overflowWrap="anywhere">
            {doubtText(source, { zone, now })}
          </Text>
        ))}
        {more > 0 && (
          <Text as="li">{more === 1 ? 'One more is not current.' : `${more} more are not current.`}</Text>
        )}
      </Stack>
    </Note>
  );
}

/** As of when the other calendars are known. */
export function AsOf({ sources, zone }: FreshnessProps) {
  const text = asOfText(sources, { zone, now: useNow(60_000) });
  return text ? <Muted fontSize="0.875rem">{text}</Muted> : null;
}

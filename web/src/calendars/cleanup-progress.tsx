import { Stack } from '@chakra-ui/react';
import { CloudOff } from 'lucide-react';
import type { Cleanup } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { Meter } from '../ui/meter';
import { Note } from '../ui/states';
import { Muted } from '../ui/text';
import { cleanupText, stuckText } from './cleanup';

type CleanupProgressProps = {
  /** What is disconnected: "Work of Sofia Marino". */
  what: string;
  cleanup: Cleanup;
  /** Why nothing can be taken out, where that is known without an attempt. */
  barred?: string;
};

/** How far taking appointments out of something that is disconnected is, and why it does not go on. */
export function CleanupProgress({ what, cleanup, barred = '' }: CleanupProgressProps) {
  const { eventCount, leftCount } = cleanup;
  const stuck = barred || stuckText(cleanup);
  return (
    <Stack gap="2" flexBasis="100%">
      <Muted fontSize="0.875rem">{cleanupText(cleanup, stuck !== '')}</Muted>
      <Meter
        share={eventCount === 0 ? 1 : (eventCount - leftCount) / eventCount}
        label={`Taking appointments out of ${what}`}
      />
      {stuck && (
        <Note tone="warn" icon={CloudOff}>
          {stuck}
        </Note>
      )}
    </Stack>
  );
}

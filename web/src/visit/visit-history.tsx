import { Box, Flex, Stack } from '@chakra-ui/react';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { actorName } from '../business/actor-name';
import type { UndoableChange } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { dateAndTime, moment } from '../time/zoned';
import { Button } from '../ui/button';
import { H3, Muted, Text } from '../ui/text';
import { useNow } from '../ui/use-now';
import type { Entry } from './history';

type HistoryProps = {
  entries: readonly Entry[];
  employees: readonly Employee[];
  /** The account of the viewer. */
  userId: string;
  zone: string;
  /** The change that the viewer may take back. */
  undo?: Undo | undefined;
};

type Undo = UndoableChange & { run: () => Promise<void> };

/** A visit that is moved every week has a long past, which few want to read. */
const LATEST = 5;

/** Who did what with the visit, the latest first; earlier entries on demand. */
export function VisitHistory({ entries, employees, userId, zone, undo }: HistoryProps) {
  const [whole, setWhole] = useState(false);
  if (entries.length === 0) return null;
  // A single one more takes no more room than the button.
  const isShort = entries.length <= LATEST + 1;
  const shown = whole || isShort ? entries : entries.slice(0, LATEST);
  const madeAt = moment(undo?.madeAt)?.getTime();
  const undone = Math.max(
    shown.findIndex(({ at }) => at.getTime() === madeAt),
    0,
  );
  return (
    <Stack as="section" gap="1">
      <H3>History</H3>
      <Box as="ol" listStyleType="none" aria-label="History">
        {shown.map(({ at, by, text }, index) => (
          <Flex
            as="li"
            key={`${text}-${at.getTime()}`}
            py="1.5"
            gap="3"
            align="center"
            justify="space-between"
          >
            <Box>
              <Text>{text}</Text>
              <Muted fontSize="0.875rem">
                {[dateAndTime(at, zone), actorName(by, employees, userId)].filter(Boolean).join(' · ')}
              </Muted>
            </Box>
            {undo && index === undone && <UndoButton key={undo.changeId} undo={undo} />}
          </Flex>
        ))}
      </Box>
      {!isShort && (
        <Button alignSelf="flex-start" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? 'Show fewer entries' : `Show all ${entries.length} entries`}
        </Button>
      )}
    </Stack>
  );
}

function UndoButton({ undo: { undoableUntil, appointmentCount, run } }: { undo: Undo }) {
  const now = useNow(5_000);
  const [running, setRunning] = useState(false);
  const until = moment(undoableUntil);
  if (!until || until <= now) return null;
  const press = async () => {
    setRunning(true);
    await run();
    setRunning(false);
  };
  return (
    <Button variant="quiet" loading={running} onClick={() => void press()} flexShrink="0">
      <Undo2 size={18} aria-hidden />
      {appointmentCount > 1 ? `Undo for all ${appointmentCount} visits` : 'Undo'}
    </Button>
  );
}

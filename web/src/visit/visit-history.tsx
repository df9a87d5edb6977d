import { Box, Stack } from '@chakra-ui/react';
import { useState } from 'react';
import { actorName } from '../business/actor-name';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { dateAndTime } from '../time/zoned';
import { Button } from '../ui/button';
import { H3, Muted, Text } from '../ui/text';
import type { Entry } from './history';

type HistoryProps = {
  entries: readonly Entry[];
  employees: readonly Employee[];
  /** The account of the viewer. */
  userId: string;
  zone: string;
};

/** A visit that is moved every week has a long past, which few want to read. */
const LATEST = 5;

/** Who did what with the visit, the latest first; earlier entries on demand. */
export function VisitHistory({ entries, employees, userId, zone }: HistoryProps) {
  const [whole, setWhole] = useState(false);
  if (entries.length === 0) return null;
  // A single one more takes no more room than the button.
  const shown = whole || entries.length <= LATEST + 1 ? entries : entries.slice(0, LATEST);
  return (
    <Stack as="section" gap="1">
      <H3>History</H3>
      <Box as="ol" listStyleType="none" aria-label="History">
        {shown.map(({ at, by, text }) => (
          <Box as="li" key={`${text}-${at.getTime()}`} py="1.5">
            <Text>{text}</Text>
            <Muted fontSize="0.875rem">
              {[dateAndTime(at, zone), actorName(by, employees, userId)].filter(Boolean).join(' · ')}
            </Muted>
          </Box>
        ))}
      </Box>
      {shown.length < entries.length && (
        <Button alignSelf="flex-start" onClick={() => setWhole(true)}>
          Show all {entries.length} entries
        </Button>
      )}
    </Stack>
  );
}

import { Box, Flex, Stack } from '@chakra-ui/react';
import { actorName } from '../business/actor-name';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { dateAndTime } from '../time/zoned';
import { H3, Muted, Text } from '../ui/text';
import type { Entry } from './history';

type HistoryProps = {
  entries: readonly Entry[];
  employees: readonly Employee[];
  /** The account of the viewer. */
  userId: string;
  zone: string;
};

/** Who did what with the visit, the latest first. */
export function VisitHistory({ entries, employees, userId, zone }: HistoryProps) {
  if (entries.length === 0) return null;
  return (
    <Stack as="section" gap="1">
      <H3>History</H3>
      <Box as="ol" listStyleType="none" aria-label="History">
        {entries.map(({ at, by, text }) => (
          <Flex
            as="li"
            key={`${text}-${at.getTime()}`}
            columnGap="3"
            py="1.5"
            justify="space-between"
            wrap="wrap"
          >
            <Text as="span">{text}</Text>
            <Muted as="span">
              {[dateAndTime(at, zone), actorName(by, employees, userId)].filter(Boolean).join(' · ')}
            </Muted>
          </Flex>
        ))}
      </Box>
    </Stack>
  );
}

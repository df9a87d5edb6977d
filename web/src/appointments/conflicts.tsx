import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { BusyOrigin } from '../gen/frontdesk/scheduling/v1/busy_source_pb';
import type { Conflict } from '../gen/frontdesk/scheduling/v1/conflict_pb';
import { messageOf } from '../http/errors';
import { TextLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { dayName, moment, timeSpan } from '../time/zoned';
import { Surface } from '../ui/card';
import { Note } from '../ui/states';
import { H2, Muted, Text } from '../ui/text';
import { conflictsQuery } from './queries';

/** On a booking's own page: what it meets. */
export function ConflictsOf({ businessId, appointmentId, zone }: ConflictsProps & { appointmentId: string }) {
  const { data } = useQuery(conflictsQuery(businessId));
  const mine = data?.conflicts.filter((conflict) => conflict.appointmentId === appointmentId) ?? [];
  return mine.map((conflict) => (
    <Note key={conflict.id} tone="warn" icon={TriangleAlert}>
      {conflict.employeeName} is busy then: {describe(conflict, zone)}
    </Note>
  ));
}

type ConflictsProps = { businessId: string; zone: string };

/** Bookings that overlap a calendar entry; renders nothing without any. */
export function Conflicts({ businessId, zone }: ConflictsProps) {
  const query = useQuery(conflictsQuery(businessId));
  if (query.isLoadingError) {
    return (
      <Note tone="warn" icon={TriangleAlert}>
        Conflicts can’t be shown. {messageOf(query.error)}
      </Note>
    );
  }
  return (
    <Reading query={query} what="Conflicts" skeleton={null}>
      {({ conflicts }) =>
        conflicts.length > 0 && <List conflicts={conflicts} businessId={businessId} zone={zone} />
      }
    </Reading>
  );
}

/** The page is about more than what went wrong. */
const SHOWN = 3;

function List({ conflicts, businessId, zone }: ConflictsProps & { conflicts: Conflict[] }) {
  return (
    <Surface as="section" aria-labelledby="conflicts" borderColor="warn.line" overflow="hidden">
      <Flex align="center" gap="2.5" px={{ base: '4', sm: '6' }} py="2.5" bg="warn.subtle" color="warn.fg">
        <TriangleAlert size={18} aria-hidden />
        <H2 id="conflicts">
          {conflicts.length === 1 ? 'One conflict needs you' : `${conflicts.length} conflicts need you`}
        </H2>
      </Flex>
      <Box as="ul" listStyleType="none">
        {conflicts.slice(0, SHOWN).map((conflict) => (
          <Flex
            as="li"
            key={conflict.id}
            gap="4"
            justify="space-between"
            align="center"
            wrap="wrap"
            px={{ base: '4', sm: '6' }}
            py="3"
            borderTop="1px solid"
            borderColor="line"
          >
            <Stack gap="0.5" flex="1 1 16rem" minWidth="0">
              <Text fontWeight="600">{conflict.employeeName} is booked and busy at once</Text>
              <Muted>{describe(conflict, zone)}</Muted>
            </Stack>
            <TextLink to={paths.inbox(businessId)}>Settle it</TextLink>
          </Flex>
        ))}
      </Box>
      {conflicts.length > SHOWN && (
        <Text px={{ base: '4', sm: '6' }} py="3" borderTop="1px solid" borderColor="line">
          <TextLink to={paths.inbox(businessId)}>{conflicts.length - SHOWN} more in the inbox</TextLink>
        </Text>
      )}
    </Surface>
  );
}

const PLACES: Record<BusyOrigin, string> = {
  [BusyOrigin.UNSPECIFIED]: 'another system',
  [BusyOrigin.CALENDAR]: 'their calendar',
  [BusyOrigin.PROVIDER]: 'the salon’s booking system',
};

function describe(conflict: Conflict, zone: string): string {
  // What is in a colleague’s calendar has no title here.
  const what = conflict.title ? `“${conflict.title}”` : 'Busy';
  return `${when(conflict, zone)} · ${what} in ${PLACES[conflict.origin]}`;
}

function when({ startsAt, endsAt }: Conflict, zone: string): string {
  const [from, to] = [moment(startsAt), moment(endsAt)];
  if (!from || !to) return '';
  return `${dayName(from, zone, new Date())}, ${timeSpan(from, to, zone)}`;
}

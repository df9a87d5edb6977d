import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CalendarCheck, CloudOff } from 'lucide-react';
import { employeesQuery } from '../business/queries';
import { calendarsQuery } from '../calendars/queries';
import type { Calendar } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { asSentence } from '../http/errors';
import { CardPage } from '../layout/card-page';
import { ButtonLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { RowsSkeleton } from '../ui/skeleton';
import { Spinner } from '../ui/spinner';
import { Note } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { Steps } from './steps';

const LOOK_AGAIN_MS = 1000;

type ReadingProps = { businessId: string; calendarId: string };

/** The calendar's first reading, from its beginning to its end. */
export function ReadingStep({ businessId, calendarId }: ReadingProps) {
  const query = useQuery({
    ...calendarsQuery(businessId),
    refetchInterval: ({ state }) =>
      state.data?.calendars.find(({ id }) => id === calendarId)?.syncedAt ? false : LOOK_AGAIN_MS,
  });
  const names = useQuery(employeesQuery(businessId)).data?.employees ?? [];
  const calendar = query.data?.calendars.find(({ id }) => id === calendarId);
  const whose = names.find(({ id }) => id === calendar?.employeeId)?.name ?? calendar?.name ?? '';
  const done = calendar?.syncedAt !== undefined;
  return (
    <CardPage title={done ? 'Calendar connected' : 'The first reading'}>
      <Steps at={3} done={done} />
      <Reading
        query={query}
        what="The calendar"
        skeleton={<RowsSkeleton rows={2} label="Loading the calendar" />}
      >
        {() => {
          if (!calendar) return <Gone />;
          return done ? <Done businessId={businessId} whose={whose} /> : <Under calendar={calendar} />;
        }}
      </Reading>
    </CardPage>
  );
}

/** "1,250 entries read". */
const entriesText = (count: number): string =>
  count === 1 ? '1 entry read' : `${count.toLocaleString('en-GB')} entries read`;

function Under({ calendar }: { calendar: Calendar }) {
  return (
    <Stack gap="4" role="status">
      <Flex gap="3" align="center">
        <Spinner />
        <Text>
          Reading “{calendar.name}” from the beginning …
          {calendar.entriesRead > 0 && ` ${entriesText(calendar.entriesRead)} so far.`}
        </Text>
      </Flex>
      {calendar.lastError ? (
        <Note tone="warn" icon={CloudOff}>
          {asSentence(calendar.lastError)} It is tried again by itself; you can close this page.
        </Note>
      ) : (
        <Muted>This takes a few seconds. You can close this page: it goes on without you.</Muted>
      )}
    </Stack>
  );
}

function Done({ businessId, whose }: { businessId: string; whose: string }) {
  return (
    <Stack gap="5" role="status">
      <Flex gap="3" align="center" color="good.fg">
        <Box flexShrink="0">
          <CalendarCheck size={24} aria-hidden />
        </Box>
        <Text color="fg">
          {whose}: the calendar was read, and changes there are taken over from now on. Appointments appear
          there within seconds.
        </Text>
      </Flex>
      <Flex direction="column" gap="2.5">
        <ButtonLink to={paths.schedule(businessId)} variant="contained">
          Open the schedule
        </ButtonLink>
        <ButtonLink to={paths.onboardingFlow()}>Connect another calendar</ButtonLink>
      </Flex>
    </Stack>
  );
}

function Gone() {
  return (
    <>
      <Text>This calendar is not connected, or you have no access to it.</Text>
      <ButtonLink to={paths.onboardingFlow()} variant="contained">
        Connect a calendar
      </ButtonLink>
    </>
  );
}

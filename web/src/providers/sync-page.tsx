import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action';
import { ChosenBusiness, useBusinessHere } from '../business/chosen-business';
import { useZone } from '../business/use-zone';
import {
  type ProviderConnection,
  ProviderConnectionService,
  type ProviderRun,
  ProviderRunState,
} from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { asSentence, messageOf } from '../http/errors';
import { TextLink } from '../layout/links';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { dateAndTime, moment } from '../time/zoned';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Meter } from '../ui/meter';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty, Refusal } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { Mapping } from './mapping';
import { connectionsQuery, progressInterval, recordsQuery, runsQuery } from './queries';
import { WithConnection } from './with-connection';
import { countsText, runText } from './wording';

export function Component() {
  const { businessId, chosen } = useBusinessHere();
  const credentials = chosen
    ? paths.adminProviderCredentials(businessId)
    : paths.providerCredentials(businessId);
  return (
    <Page
      title="Booking system sync"
      lead="What was read of the salon’s booking system, and which employee or service here each of its records is."
    >
      <ChosenBusiness>
        <WithConnection businessId={businessId} credentials={credentials}>
          {(connection) => (
            <Stack gap="6">
              <Muted>
                {connection.label}: <TextLink to={credentials}>its connection and token</TextLink>.
              </Muted>
              <Sync key={connection.id} businessId={businessId} connection={connection} />
            </Stack>
          )}
        </WithConnection>
      </ChosenBusiness>
    </Page>
  );
}

function Sync({ businessId, connection }: { businessId: string; connection: ProviderConnection }) {
  const queries = useQueryClient();
  const connectionId = connection.id;
  const { act, running, error } = useAction(ProviderConnectionService.method.syncProvider, {
    onDone: () => {
      for (const query of [
        connectionsQuery(businessId),
        runsQuery(businessId, connectionId),
        recordsQuery(businessId, connectionId),
      ]) {
        void queries.invalidateQueries({ queryKey: query.queryKey });
      }
    },
  });
  const [isDry, setIsDry] = useState(false);
  const run = (dryRun: boolean) => {
    setIsDry(dryRun);
    act({ businessId, connectionId, dryRun });
  };
  const runs = useQuery({
    ...runsQuery(businessId, connectionId),
    refetchInterval: ({ state }) => progressInterval(state.data?.runs, running),
  });
  const records = useQuery(recordsQuery(businessId, connectionId));
  return (
    <Stack gap="6">
      <Card
        title="Runs"
        flush
        action={
          <Flex gap="3" wrap="wrap" justify="flex-end">
            <Button loading={running && isDry} disabled={running && !isDry} onClick={() => run(true)}>
              Dry run
            </Button>
            <Button
              variant="contained"
              loading={running && !isDry}
              disabled={running && isDry}
              onClick={() => run(false)}
            >
              Read now
            </Button>
          </Flex>
        }
      >
        <Refusal>{error && messageOf(error)}</Refusal>
        <Reading query={runs} what="The runs" skeleton={<RowsSkeleton rows={3} label="Loading runs" />}>
          {({ runs }) =>
            runs.length === 0 ? (
              <Empty icon={ListChecks} title="Nothing was read yet">
                A dry run reads the booking system and keeps nothing.
              </Empty>
            ) : (
              <Box as="ul" listStyleType="none" aria-label="Runs">
                {runs.map((run) => (
                  <Run key={run.id} businessId={businessId} run={run} />
                ))}
              </Box>
            )
          }
        </Reading>
      </Card>
      <Card title="Who is who" flush>
        <Reading
          query={records}
          what="The records"
          skeleton={<RowsSkeleton rows={4} label="Loading employees and services" />}
        >
          {(found) => <Mapping businessId={businessId} connection={connection} found={found} />}
        </Reading>
      </Card>
    </Stack>
  );
}

function Run({ businessId, run }: { businessId: string; run: ProviderRun }) {
  const zone = useZone(businessId);
  const { label, tone } = runText(run);
  const started = moment(run.startedAt);
  return (
    <Flex
      as="li"
      gap="3"
      align="center"
      wrap="wrap"
      px={{ base: '4', sm: '6' }}
      py="3"
      borderTop="1px solid"
      borderColor="line"
    >
      <Box minWidth="6rem">
        <Badge tone={tone}>{label}</Badge>
      </Box>
      <Stack gap="0" flex="1 1 16rem">
        <Text>{started && dateAndTime(started, zone)}</Text>
        {run.state === ProviderRunState.RUNNING && run.stepCount > 0 && (
          <Box py="1.5" maxWidth="20rem">
            <Meter share={run.stepsDone / run.stepCount} label="Steps of this run that are done" />
          </Box>
        )}
        <Muted fontSize="0.875rem">{run.fault ? asSentence(run.fault) : countsText(run)}</Muted>
      </Stack>
    </Flex>
  );
}

import { Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Plug } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { useAction } from '../api/action';
import { fetchedAhead } from '../api/fetched-ahead';
import { useZone } from '../business/use-zone';
import {
  type ProviderConnection,
  ProviderConnectionService,
  type ProviderSystem,
} from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { messageOf } from '../http/errors';
import { ButtonLink, TextLink } from '../layout/links';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { dateAndTime, moment } from '../time/zoned';
import { Button } from '../ui/button';
import { Card, Surface } from '../ui/card';
import { CopyField } from '../ui/copy-field';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { DisconnectProvider } from './disconnect-provider';
import { EndingConnection, ToldEnd } from './ending-connection';
import { connectionsQuery } from './queries';
import { names, systemOf } from './wording';

const ConnectDialog = fetchedAhead(() =>
  import('./connect-dialog').then(({ ConnectDialog }) => ConnectDialog),
);
const CredentialsDialog = fetchedAhead(() =>
  import('./credentials-dialog').then(({ CredentialsDialog }) => CredentialsDialog),
);

export function Component() {
  const { businessId = '' } = useParams();
  const query = useQuery(connectionsQuery(businessId));
  const [connecting, setConnecting] = useState(false);
  return (
    <Page
      title="Booking system"
      lead="The salon’s own booking system, and the token that Frontdesk signs in with. It is stored encrypted and never shown again."
    >
      <Reading
        query={query}
        what="The booking system"
        framed
        missingIsPage
        skeleton={
          <Surface>
            <RowsSkeleton rows={3} label="Loading the booking system" />
          </Surface>
        }
      >
        {({ connections, systems }) => (
          <>
            <ToldEnd connections={connections} />
            {connections.length === 0 ? (
              <Surface>
                <Empty
                  icon={Plug}
                  title="No booking system is connected"
                  action={
                    <Button variant="contained" onClick={() => setConnecting(true)}>
                      Connect a booking system
                    </Button>
                  }
                >
                  {`These can be connected: ${names(systems)}. Employees’ time there is then kept in step with the book.`}
                </Empty>
              </Surface>
            ) : (
              <Stack gap="6">
                {connections.map((connection) => (
                  <Connection
                    key={connection.id}
                    businessId={businessId}
                    connection={connection}
                    system={systemOf(connection, systems)}
                  />
                ))}
              </Stack>
            )}
            {connecting && (
              <ConnectDialog businessId={businessId} systems={systems} onClose={() => setConnecting(false)} />
            )}
          </>
        )}
      </Reading>
    </Page>
  );
}

type ConnectionProps = {
  businessId: string;
  connection: ProviderConnection;
  /** `undefined` if this installation no longer supports it. */
  system: ProviderSystem | undefined;
};

function Connection({ businessId, connection, system }: ConnectionProps) {
  const zone = useZone(businessId);
  const isAdministration = useLocation().pathname.startsWith(`${paths.admin}/`);
  const syncPath = isAdministration
    ? `${paths.adminProviderSync}?business=${businessId}`
    : paths.providerSync(businessId);
  const availabilityPath = isAdministration
    ? `${paths.adminProviderAvailability}?business=${businessId}`
    : paths.providerAvailability(businessId);
  const [rotating, setRotating] = useState(false);
  const { connectedAt, tokenChangedAt, readAt } = connection;
  const [connected, changed, read] = [connectedAt, tokenChangedAt, readAt].map(moment);
  const { act, running } = useAction(ProviderConnectionService.method.testProviderConnection, {
    onDone: ({ fault, account }) =>
      fault
        ? toasts.show('bad', `The connection does not work: ${fault}.`)
        : toasts.show('good', `The connection works. The account is ${account}.`),
    onRefused: (error) => toasts.show('bad', messageOf(error, 'The connection could not be tested.')),
  });
  const credentialsDialog = rotating && system && (
    <CredentialsDialog
      businessId={businessId}
      system={system}
      connection={connection}
      onClose={() => setRotating(false)}
    />
  );
  if (connection.cleanup)
    return (
      <>
        <EndingConnection
          businessId={businessId}
          connection={connection}
          cleanup={connection.cleanup}
          onReplace={system && (() => setRotating(true))}
        />
        {credentialsDialog}
      </>
    );
  return (
    <Card title={connection.label}>
      <Stack gap="4">
        <Stack gap="0">
          <Text>
            {system?.name === connection.label
              ? 'Connected'
              : `${system?.name ?? 'A booking system that is no longer supported'}, connected`}{' '}
            {connected && dateAndTime(connected, zone)}.
          </Text>
          {changed && changed.getTime() !== connected?.getTime() && (
            <Muted>Its token was last replaced {dateAndTime(changed, zone)}.</Muted>
          )}
          <Muted>
            {read
              ? `Its employees and services were last read ${dateAndTime(read, zone)}.`
              : 'Its employees and services were not read yet.'}
          </Muted>
        </Stack>
        {connection.pushUrl && system && (
          <>
            <CopyField
              label={`Webhook address of ${connection.label}`}
              hint={
                connection.takesPushes
                  ? `Changes that ${system.name} sends to this address arrive at once: the key that it signs them with is known.`
                  : `Enter it at ${system.name} as a webhook, then enter the signature key here that ${system.name} shows for it. Until then, changes there arrive with the next regular reading.`
              }
              text={connection.pushUrl}
            />
            {!connection.takesPushes && (
              <Button alignSelf="flex-start" onClick={() => setRotating(true)}>
                Enter the signature key
              </Button>
            )}
          </>
        )}
        <Flex gap="3" wrap="wrap" align="center">
          {!read && (
            <ButtonLink to={syncPath} variant="contained">
              Read its employees and services
            </ButtonLink>
          )}
          <Button loading={running} onClick={() => act({ businessId, connectionId: connection.id })}>
            Test connection
          </Button>
          {system && <Button onClick={() => setRotating(true)}>Replace token</Button>}
          <DisconnectProvider businessId={businessId} connection={connection} />
        </Flex>
        {read && (
          <Muted>
            <TextLink to={syncPath}>Booking system sync</TextLink> says who each of them is here.{' '}
            <TextLink to={availabilityPath}>Compare availability</TextLink> shows when they are free on both
            sides.
          </Muted>
        )}
      </Stack>
      {credentialsDialog}
    </Card>
  );
}

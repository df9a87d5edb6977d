import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { PhoneForwarded } from 'lucide-react';
import { useState } from 'react';
import { fetchedAhead } from '../api/fetched-ahead';
import type { VoiceConnection } from '../gen/frontdesk/tenancy/v1/voice_connection_pb';
import { Reading } from '../layout/reading';
import { Button } from '../ui/button';
import { Card, CardRow } from '../ui/card';
import { CopyField } from '../ui/copy-field';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { voiceConnectionsQuery } from './queries';
import { VoiceNotices } from './voice-notices';
import { useVoiceTest } from './voice-test';
import { newSecretText, voicePlatform } from './webhook';

const ConnectVoiceDialog = fetchedAhead(() =>
  import('./connect-voice-dialog').then(({ ConnectVoiceDialog }) => ConnectVoiceDialog),
);
const EditVoiceDialog = fetchedAhead(() =>
  import('./edit-voice-dialog').then(({ EditVoiceDialog }) => EditVoiceDialog),
);
const RotateSecretDialog = fetchedAhead(() =>
  import('./rotate-secret-dialog').then(({ RotateSecretDialog }) => RotateSecretDialog),
);
const RemoveVoiceDialog = fetchedAhead(() =>
  import('./remove-voice-dialog').then(({ RemoveVoiceDialog }) => RemoveVoiceDialog),
);

/** Which voice platform answers the telephone, and where it delivers. */
export function VoiceCard({ businessId }: { businessId: string }) {
  const query = useQuery(voiceConnectionsQuery(businessId));
  const [connecting, setConnecting] = useState(false);
  const connect = <Button onClick={() => setConnecting(true)}>Connect a platform</Button>;
  // With it the heading is higher: it is there before the list is, unless the list turns out empty.
  const beside = query.data ? query.data.voiceConnections.length > 0 : query.isLoading;
  return (
    <Card title="Voice platform" flush action={beside && connect}>
      <Reading
        query={query}
        what="The voice platforms"
        skeleton={<RowsSkeleton rows={2} label="Loading voice platforms" />}
      >
        {({ voiceConnections }) =>
          voiceConnections.length === 0 ? (
            <Empty icon={PhoneForwarded} title="No platform answers the phone yet" action={connect}>
              Connect Retell AI, Vapi, Twilio or ElevenLabs: callers reach the agent through it.
            </Empty>
          ) : (
            <Box as="ul" aria-label="Voice platforms" listStyleType="none">
              {voiceConnections.map((connection) => (
                <Row key={connection.id} businessId={businessId} connection={connection} />
              ))}
            </Box>
          )
        }
      </Reading>
      {connecting && <ConnectVoiceDialog businessId={businessId} onClose={() => setConnecting(false)} />}
    </Card>
  );
}

function Row({ businessId, connection }: { businessId: string; connection: VoiceConnection }) {
  const { label, platform, webhookUrl } = connection;
  const [open, setOpen] = useState<'edit' | 'rotate' | 'remove' | null>(null);
  const test = useVoiceTest(businessId, connection);
  const dialog = { businessId, connection, onClose: () => setOpen(null) };
  return (
    <CardRow direction="column" py="4">
      <Stack gap="0">
        <Text fontWeight="600">{label}</Text>
        <Muted>{voicePlatform(platform).name}</Muted>
      </Stack>
      <CopyField
        label={`Webhook address of ${label}`}
        hint={voicePlatform(platform).webhookHint}
        text={webhookUrl}
      />
      <VoiceNotices businessId={businessId} connectionId={connection.id} />
      {/* On a phone two by two: in lines as they fit, the last would be alone below the others. */}
      <Flex
        gap="2"
        wrap="wrap"
        display={{ base: 'grid', sm: 'flex' }}
        gridTemplateColumns="repeat(auto-fit, minmax(9.75rem, 1fr))"
      >
        {test.button}
        <Button onClick={() => setOpen('edit')}>
          Edit
          <ScreenReaderOnly> {label}</ScreenReaderOnly>
        </Button>
        <Button onClick={() => setOpen('rotate')}>
          {newSecretText(platform)}
          <ScreenReaderOnly> of {label}</ScreenReaderOnly>
        </Button>
        <Button variant="quiet" onClick={() => setOpen('remove')}>
          Remove
          <ScreenReaderOnly> {label}</ScreenReaderOnly>
        </Button>
      </Flex>
      {test.result}
      {open === 'edit' && <EditVoiceDialog {...dialog} />}
      {open === 'rotate' && <RotateSecretDialog {...dialog} />}
      {open === 'remove' && <RemoveVoiceDialog {...dialog} />}
    </CardRow>
  );
}

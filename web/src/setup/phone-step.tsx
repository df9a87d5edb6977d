import { chakra, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, PhoneIncoming } from 'lucide-react';
import { useState } from 'react';
import { businessQuery } from '../business/queries';
import { recentCallsQuery } from '../calls/queries';
import { voiceConnectionsQuery } from '../details/queries';
import { VoiceCard } from '../details/voice-card';
import { TextLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { useKeptText } from '../session/use-draft';
import { agoText } from '../time/ago';
import { moment } from '../time/zoned';
import { Button } from '../ui/button';
import { TextField } from '../ui/field';
import { phoneText } from '../ui/phone';
import { RowsSkeleton } from '../ui/skeleton';
import { Note } from '../ui/states';
import { Figures, H3, Muted, Text } from '../ui/text';
import { useNow } from '../ui/use-now';
import { forwardingCodes, isDialable } from './forwarding';
import type { StepProps } from './step-props';
import { STEP_NAMES } from './steps';

/** How often the first call is looked for while this step is on the screen. */
const LOOK_EVERY_MS = 5_000;

/** Which platform answers, how the salon’s line gets there, and whether a call has arrived. */
export function PhoneStep({ businessId, next, onDone }: StepProps) {
  const connections = useQuery(voiceConnectionsQuery(businessId)).data?.voiceConnections;
  const connected = connections && connections.length > 0;
  return (
    <Stack gap="6">
      <VoiceCard businessId={businessId} />
      {connected && <Publishing businessId={businessId} />}
      <Forwarding businessId={businessId} />
      <FirstCall businessId={businessId} connected={connected} />
      <Flex>
        <Button variant="contained" onClick={onDone}>
          {next
            ? `Go on to ${STEP_NAMES[next].toLowerCase()}`
            : connected === false
              ? 'Finish without a telephone'
              : 'Finish'}
        </Button>
      </Flex>
    </Stack>
  );
}

/** A line that is connected answers as the platform has it, until the agent is published there. */
function Publishing({ businessId }: { businessId: string }) {
  return (
    <Stack gap="3">
      <H3 as="h3">Publish the agent</H3>
      <Text>
        What the agent says and may do is under{' '}
        <TextLink to={paths.agent(businessId)}>Agent settings</TextLink>. Try it there in a chat, and publish
        it: Frontdesk brings it to the platform.
      </Text>
    </Stack>
  );
}

function Forwarding({ businessId }: { businessId: string }) {
  const phone = useQuery(businessQuery(businessId)).data?.business?.phone;
  const [number, setNumber] = useKeptText(`number of the agent of ${businessId}`, '', { overReload: true });
  const [left, setLeft] = useState(false);
  const dialable = isDialable(number);
  return (
    <Stack gap="3">
      <H3 as="h3">Forward the salon’s line</H3>
      <Text>
        Customers keep calling {phone ? phoneText(phone) : 'the salon’s own number'}. Forward its calls to the
        number that the agent answers: all of them, or only those that the team misses. For a landline, change
        this at your telephone provider; on a mobile phone, dial one of the codes below.
      </Text>
      <TextField
        label="Number of the agent"
        type="tel"
        inputMode="tel"
        autoComplete="off"
        maxWidth="20rem"
        hint="The voice platform shows it. It is only used to fill in the codes, and is not saved."
        error={
          left && number.trim() !== '' && !dialable
            ? 'Enter the number in full, such as +44 20 7946 0018.'
            : undefined
        }
        value={number}
        onBlur={() => setLeft(true)}
        onChange={(event) => setNumber(event.target.value)}
      />
      {dialable && (
        <Stack as="dl" gap="1.5">
          {forwardingCodes(number).map(([when, code]) => (
            <Flex
              key={code}
              columnGap="4"
              direction={{ base: 'column', sm: 'row' }}
              justify="space-between"
              maxWidth="28rem"
            >
              <chakra.dt color="fg.muted">{when}</chakra.dt>
              <chakra.dd fontWeight="600">
                <Figures>{code}</Figures>
              </chakra.dd>
            </Flex>
          ))}
        </Stack>
      )}
    </Stack>
  );
}

type FirstCallProps = {
  businessId: string;
  /** Undefined while it is not known. */
  connected: boolean | undefined;
};

function FirstCall({ businessId, connected }: FirstCallProps) {
  const query = useQuery({ ...recentCallsQuery(businessId), refetchInterval: LOOK_EVERY_MS });
  const now = useNow(30_000);
  return (
    <Stack gap="3">
      <H3 as="h3">Make a test call</H3>
      <Reading query={query} what="The calls" skeleton={<RowsSkeleton rows={1} label="Loading calls" />}>
        {({ calls: [latest] }) => {
          const started = moment(latest?.startedAt);
          return (
            <>
              <div aria-live="polite">
                {latest ? (
                  <Note tone="good" icon={CircleCheck}>
                    A call {latest.fromNumber && `from ${phoneText(latest.fromNumber)} `}arrived
                    {started && ` ${agoText(started, now)}`}.{' '}
                    <TextLink to={paths.call(businessId, latest.id)} color="inherit">
                      See what was said
                    </TextLink>
                  </Note>
                ) : (
                  <Note tone="info" icon={PhoneIncoming}>
                    No call has arrived yet.
                    {connected === true && ' Call the salon’s number: the call shows here within seconds.'}
                    {connected === false && ' Connect a platform first: calls arrive through it.'}
                  </Note>
                )}
              </div>
              {!latest && connected === false && (
                <Muted>
                  The team can book by hand until then; the agent answers once a platform is connected.
                </Muted>
              )}
            </>
          );
        }}
      </Reading>
    </Stack>
  );
}

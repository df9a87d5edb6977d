import { chakra, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, PhoneIncoming } from 'lucide-react';
import { useState } from 'react';
import { businessQuery } from '../business/queries';
import { recentCallsQuery } from '../calls/queries';
import { VoiceCard } from '../details/voice-card';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { agoText } from '../time/ago';
import { moment } from '../time/zoned';
import { Button } from '../ui/button';
import { TextField } from '../ui/field';
import { phoneText } from '../ui/phone';
import { Note } from '../ui/states';
import { Figures, H3, Muted, Text } from '../ui/text';
import { useNow } from '../ui/use-now';
import { forwardingCodes } from './forwarding';
import type { StepProps } from './step-props';

/** How often the first call is looked for while this step is on the screen. */
const LOOK_EVERY_MS = 5_000;

/** Which platform answers, how the salon’s line gets there, and whether a call has arrived. */
export function PhoneStep({ businessId, onDone }: StepProps) {
  return (
    <Stack gap="6">
      <VoiceCard businessId={businessId} />
      <Forwarding businessId={businessId} />
      <FirstCall businessId={businessId} />
      <Flex>
        <Button variant="contained" onClick={onDone}>
          Finish
        </Button>
      </Flex>
    </Stack>
  );
}

function Forwarding({ businessId }: { businessId: string }) {
  const phone = useQuery(businessQuery(businessId)).data?.business?.phone;
  const [number, setNumber] = useState('');
  return (
    <Stack gap="3">
      <H3 as="h3">Forward the salon’s line</H3>
      <Text>
        {phone ? `Customers go on calling ${phoneText(phone)}. ` : ''}
        Its calls are forwarded to the number on which the agent answers, all of them or only those that no
        one takes. For a landline that is a setting of the telephone provider; a mobile phone dials a code.
      </Text>
      <TextField
        label="Number of the agent"
        type="tel"
        inputMode="tel"
        autoComplete="off"
        maxWidth="20rem"
        hint="As the voice platform shows it. It fills in the codes and is not kept."
        value={number}
        onChange={(event) => setNumber(event.target.value)}
      />
      {number.trim() !== '' && (
        <Stack as="dl" gap="1.5">
          {forwardingCodes(number).map(([when, code]) => (
            <Flex key={code} gap="4" wrap="wrap" justify="space-between" maxWidth="28rem">
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

function FirstCall({ businessId }: { businessId: string }) {
  const { data } = useQuery({ ...recentCallsQuery(businessId), refetchInterval: LOOK_EVERY_MS });
  const now = useNow(30_000);
  const latest = data?.calls[0];
  const started = moment(latest?.startedAt);
  return (
    <Stack gap="3">
      <H3 as="h3">Make a test call</H3>
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
            No call has arrived yet. Call the salon’s number: it shows here within seconds.
          </Note>
        )}
      </div>
      <Muted>The business can be used without it; the agent answers once the platform delivers here.</Muted>
    </Stack>
  );
}

import { useState } from 'react';
import { useAction } from '../api/action';
import {
  WebhookTestOutcome as Outcome,
  type TestVoiceConnectionResponse,
  type VoiceConnection,
  VoiceConnectionService,
} from '../gen/frontdesk/tenancy/v1/voice_connection_pb';
import { messageOf } from '../http/errors';
import { Badge, type Tone } from '../ui/badge';
import { Button } from '../ui/button';
import { Refusal } from '../ui/states';
import { ScreenReaderOnly, Text } from '../ui/text';

type Said = { label: string; tone: Tone; text: string };

/** What became of a sample, and what to do about it. */
function testText({ outcome, status, reason, url, elapsedMs }: TestVoiceConnectionResponse): Said {
  switch (outcome) {
    case Outcome.ACCEPTED:
      return {
        label: 'Accepted',
        tone: 'good',
        text: `Frontdesk sent a signed sample to ${url} and accepted it after ${elapsedMs} ms. It was a test, so the list of calls stays as it is.`,
      };
    case Outcome.REFUSED:
      return {
        label: 'Refused',
        tone: 'bad',
        text: `The sample was refused with ${status}: ${reason}. A new secret takes up to a minute to count: test again then.`,
      };
    case Outcome.ELSEWHERE:
      return {
        label: 'Went elsewhere',
        tone: 'bad',
        text: `Something other than Frontdesk answered with ${status} at ${url}. Ask your administrator where the address leads.`,
      };
    default:
      return {
        label: 'Not reached',
        tone: 'bad',
        text: `Nothing answered at ${url}: ${reason}. Ask your administrator whether it can be reached.`,
      };
  }
}

/** Sends a sample through a connection's real webhook, and shows what became of it. */
export function useVoiceTest(businessId: string, { id, label }: VoiceConnection) {
  const [told, setTold] = useState<TestVoiceConnectionResponse>();
  const { act, running, error } = useAction(VoiceConnectionService.method.testVoiceConnection, {
    onDone: setTold,
  });
  const start = () => {
    setTold(undefined);
    act({ businessId, voiceConnectionId: id });
  };
  const said = told && testText(told);
  return {
    button: (
      <Button loading={running} onClick={start}>
        Send a test
        <ScreenReaderOnly> through {label}</ScreenReaderOnly>
      </Button>
    ),
    result: (
      <div role="status">
        {said && (
          <Text>
            <Badge tone={said.tone}>{said.label}</Badge> {said.text}
          </Text>
        )}
        <Refusal>{error && messageOf(error, 'The test could not be sent.')}</Refusal>
      </div>
    ),
  };
}

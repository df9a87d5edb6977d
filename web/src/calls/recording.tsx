import { chakra, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { CONTACT_HIDDEN } from '../business/contact-policy';
import { type Recording, RecordingState } from '../gen/frontdesk/telemetry/v1/recording_pb';
import { messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { dateText, moment } from '../time/zoned';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Refusal } from '../ui/states';
import { Muted } from '../ui/text';
import { recordingQuery } from './queries';
import { readRecording } from './recording-file';
import { sizeText } from './size-text';
import type { Playback } from './use-playback';

type RecordingCardProps = { businessId: string; callId: string; zone: string; playback: Playback };

/** A call's recording, where there is one or will be. */
export function RecordingCard({ businessId, callId, zone, playback }: RecordingCardProps) {
  const query = useQuery(recordingQuery(businessId, callId));
  if (query.data && !query.data.recording) return null;
  // Most calls have none: a place is not held for it.
  return (
    <Reading query={query} what="The recording" framed skeleton={null}>
      {({ recording }) =>
        recording && (
          <Card title="Recording">
            <State {...{ businessId, callId, zone, playback, recording }} />
          </Card>
        )
      }
    </Reading>
  );
}

type StateProps = RecordingCardProps & { recording: Recording };

function State({ recording, ...props }: StateProps) {
  if (recording.hidden) return <Muted>Hidden with the customer’s phone number. {CONTACT_HIDDEN}.</Muted>;
  switch (recording.state) {
    case RecordingState.KEPT:
      return <Player {...props} recording={recording} />;
    case RecordingState.AWAITED:
      return (
        <Muted>
          It is being copied from the phone platform, and shows up here by itself.
          {recording.failure && ` The last attempt failed: ${recording.failure}. The next one follows.`}
        </Muted>
      );
    case RecordingState.EXPIRED:
      return <Muted>It was deleted: it had been kept as long as the agent’s settings say.</Muted>;
    default:
      return <Muted>It could not be copied from the phone platform: {recording.failure}.</Muted>;
  }
}

function Player({ businessId, callId, zone, playback, recording }: StateProps) {
  const { address, share, error, load } = useFile(businessId, callId, recording);
  const deleted = moment(recording.deleteAt);
  const { audio, setReady, follow } = playback;
  useEffect(() => {
    setReady(address !== null);
    return () => setReady(false);
  }, [address, setReady]);
  return (
    <Stack gap="3" align="stretch">
      {address ? (
        // What is said stands in the conversation.
        // biome-ignore lint/a11y/useMediaCaption: the transcript is beside it
        <chakra.audio
          ref={audio}
          src={address}
          controls
          autoPlay
          aria-label="Recording of the call"
          width="full"
          onTimeUpdate={follow}
          onSeeked={follow}
        />
      ) : (
        <Flex>
          <Button onClick={load} loading={share !== null}>
            <Play size={18} aria-hidden />
            {share === null
              ? `Play (${sizeText(Number(recording.sizeBytes))})`
              : `Loading ${Math.round(share * 100)} %`}
          </Button>
        </Flex>
      )}
      {error !== null && <Refusal>{messageOf(error)}</Refusal>}
      {deleted && <Muted>It is deleted on {dateText(deleted, zone)}.</Muted>}
    </Stack>
  );
}

/** Reads the file when it is asked for, and lets go of it with the page. */
function useFile(businessId: string, callId: string, recording: Recording) {
  const [address, setAddress] = useState<string | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [reading, setReading] = useState<AbortController | null>(null);
  useEffect(() => () => reading?.abort(), [reading]);
  useEffect(() => () => URL.revokeObjectURL(address ?? ''), [address]);
  const load = () => {
    const controller = new AbortController();
    setReading(controller);
    setError(null);
    setShare(0);
    readRecording(businessId, callId, recording, { signal: controller.signal, onProgress: setShare })
      .then((file) => setAddress(URL.createObjectURL(file)))
      .catch((failed: unknown) => {
        if (!controller.signal.aborted) setError(failed);
      })
      .finally(() => setShare(null));
  };
  return { address, share, error, load };
}

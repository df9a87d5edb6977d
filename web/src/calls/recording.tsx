import { Box, chakra, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
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

type RecordingCardProps = {
  businessId: string;
  callId: string;
  zone: string;
  playback: Playback;
  /** Why the caller's number is hidden, where it is. */
  whyHidden: string;
};

/** Below the page's header, where the screen is high enough for both. */
const STAYS = { '@media (min-height: 30rem)': { position: 'sticky', top: '60px', zIndex: '1' } };

/** A call's recording, where there is one or will be. While it can be heard it stays in sight beside what was said. */
export function RecordingCard({ businessId, callId, zone, playback, whyHidden }: RecordingCardProps) {
  const query = useQuery(recordingQuery(businessId, callId));
  if (query.data && !query.data.recording) return null;
  // Most calls have none: a place is not held for it.
  return (
    <Reading query={query} what="The recording" framed skeleton={null}>
      {({ recording }) =>
        recording && (
          <Box {...(isHeard(recording) && { css: STAYS })}>
            <Card title="Recording" action={<KeptUntil recording={recording} zone={zone} />}>
              <State {...{ businessId, callId, playback, whyHidden, recording }} />
            </Card>
          </Box>
        )
      }
    </Reading>
  );
}

const isHeard = ({ state, hidden }: Recording) => state === RecordingState.KEPT && !hidden;

function KeptUntil({ recording, zone }: { recording: Recording; zone: string }) {
  const deleted = moment(recording.deleteAt);
  if (!isHeard(recording) || !deleted) return null;
  return <Muted fontSize="0.875rem">Kept until {dateText(deleted, zone)}</Muted>;
}

type StateProps = Omit<RecordingCardProps, 'zone'> & { recording: Recording };

function State({ recording, whyHidden, ...props }: StateProps) {
  if (recording.hidden) return <Muted>Hidden with the caller’s phone number. {whyHidden}.</Muted>;
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

function Player({ businessId, callId, playback, recording }: Omit<StateProps, 'whyHidden'>) {
  const { address, share, error, load } = useFile(businessId, callId, recording);
  const { audio, offer, begin, follow, moved } = playback;
  useEffect(() => {
    offer(load);
    return () => offer(null);
  }, [offer, load]);
  useEffect(() => {
    // The button that was pressed is gone: its keys work on.
    if (address !== null && document.activeElement === document.body) audio.current?.focus();
  }, [address, audio]);
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
          height="11"
          onLoadedMetadata={begin}
          onTimeUpdate={follow}
          onSeeked={moved}
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
    </Stack>
  );
}

/** Reads the file when it is asked for, once, and lets go of it with the page. */
function useFile(businessId: string, callId: string, recording: Recording) {
  const [address, setAddress] = useState<string | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const reading = useRef<AbortController | null>(null);
  const read = useRef({ businessId, callId, recording });
  read.current = { businessId, callId, recording };
  useEffect(
    () => () => {
      reading.current?.abort();
      reading.current = null;
    },
    [],
  );
  useEffect(() => () => URL.revokeObjectURL(address ?? ''), [address]);
  const load = useCallback(() => {
    if (reading.current) return;
    const controller = new AbortController();
    reading.current = controller;
    setError(null);
    setShare(0);
    const { businessId, callId, recording } = read.current;
    readRecording(businessId, callId, recording, { signal: controller.signal, onProgress: setShare })
      .then((file) => setAddress(URL.createObjectURL(file)))
      .catch((failed: unknown) => {
        if (controller.signal.aborted) return;
        reading.current = null;
        setError(failed);
      })
      .finally(() => setShare(null));
  }, []);
  return { address, share, error, load };
}

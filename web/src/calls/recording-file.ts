import { call } from '../api/call';
import { type Recording, RecordingService } from '../gen/frontdesk/telemetry/v1/recording_pb';

/**
 * Reads a recording piece by piece, as far as its size says, into a file that an audio element plays: such an element
 * can't send the session's token by itself. `onProgress` is told the share that is read, 0 to 1.
 */
export async function readRecording(
  businessId: string,
  callId: string,
  recording: Recording,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<Blob> {
  const size = Number(recording.sizeBytes);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let read = 0;
  while (read < size) {
    const input = { businessId, callId, offset: BigInt(read) };
    const { content } = await call(RecordingService.method.readRecording, input, { signal });
    if (content.length === 0) throw new Error('The recording ended before its end.');
    pieces.push(new Uint8Array(content));
    read += content.length;
    onProgress(read / size);
  }
  return new Blob(pieces, { type: recording.contentType });
}

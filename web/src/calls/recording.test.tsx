// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Speaker, type Turn, TurnSchema } from '../gen/frontdesk/telemetry/v1/call_pb';
import {
  GetRecordingResponseSchema,
  ReadRecordingResponseSchema,
  RecordingState,
} from '../gen/frontdesk/telemetry/v1/recording_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { Conversation } = await import('./conversation');
const { RecordingCard } = await import('./recording');
const { usePlayback } = await import('./use-playback');

const said = (text: string, offsetMs: number): Turn =>
  create(TurnSchema, { speaker: Speaker.CALLER, text, offsetMs });
const TURNS = [said('Hello', 0), said('A haircut, please', 4000), said('Thank you', 9000)];

function Page() {
  const playback = usePlayback();
  return (
    <>
      <RecordingCard businessId="b" callId="c" zone="Europe/London" playback={playback} whyHidden="" />
      <Conversation turns={TURNS} tools={[]} live={false} caller="Ana" playback={playback} />
    </>
  );
}

const shown: string[] = [];

beforeEach(() => {
  fillJsdomGaps();
  shown.length = 0;
  Element.prototype.scrollIntoView = function scrollIntoView(this: Element) {
    shown.push(this.textContent ?? '');
  };
  HTMLMediaElement.prototype.play = vi.fn(async () => undefined);
  URL.createObjectURL = () => 'blob:recording';
  URL.revokeObjectURL = () => undefined;
  const recording = { state: RecordingState.KEPT, sizeBytes: 3n, contentType: 'audio/wav' };
  api.mockReset();
  api.mockImplementation(async ({ path }) =>
    path.endsWith('/content')
      ? toJson(
          ReadRecordingResponseSchema,
          create(ReadRecordingResponseSchema, { content: new Uint8Array(3) }),
        )
      : toJson(GetRecordingResponseSchema, create(GetRecordingResponseSchema, { recording })),
  );
});
afterEach(cleanup);

const reads = () => api.mock.calls.filter(([{ path }]) => path.endsWith('/content')).length;
const player = () => screen.findByLabelText<HTMLAudioElement>('Recording of the call');
const line = (text: string) => screen.getByText(text).closest('li');

/** The recording comes to this moment. */
function comesTo(audio: HTMLAudioElement, seconds: number): void {
  audio.currentTime = seconds;
  fireEvent.timeUpdate(audio);
}

function open(): void {
  const page = (
    <StrictMode>
      <Page />
    </StrictMode>
  );
  mount([{ path: '/', element: page }], '/');
}

it('the player takes the keys of the button that was pressed', async () => {
  open();
  const button = await screen.findByRole('button', { name: /^Play \(/ });
  // jsdom gives no element of this kind the focus.
  const focus = vi.spyOn(HTMLMediaElement.prototype, 'focus');
  button.focus();
  fireEvent.click(button);
  const audio = await player();
  await waitFor(() => expect(focus.mock.contexts).toEqual([audio]));
});

it('a time in the conversation reads the recording, once, and plays from there', async () => {
  open();
  const press = () => fireEvent.click(screen.getByRole('button', { name: 'Play from 0:04' }));
  await screen.findByRole('button', { name: 'Play from 0:04' });
  press();
  press();
  const audio = await player();
  fireEvent.loadedMetadata(audio);
  expect(audio.currentTime).toBe(4);
  expect(reads()).toBe(1);
  fireEvent.click(screen.getByText('Thank you'));
  expect(audio.currentTime).toBe(9);
});

it('what is heard is shown, until the reader scrolls away from it', async () => {
  open();
  fireEvent.click(await screen.findByRole('button', { name: /^Play \(/ }));
  const audio = await player();
  const place = (text: string, top: number) =>
    vi
      .spyOn(line(text) as HTMLElement, 'getBoundingClientRect')
      .mockReturnValue({ top, bottom: top + 40 } as DOMRect);
  const heard = (text: string) =>
    waitFor(() => expect(line(text)?.getAttribute('aria-current')).toBe('true'));
  place('Hello', 100);
  place('A haircut, please', -400);
  comesTo(audio, 0.5);
  await heard('Hello');
  comesTo(audio, 4.5);
  await heard('A haircut, please');
  expect(shown).toHaveLength(2);
  comesTo(audio, 9.5);
  await heard('Thank you');
  expect(shown).toHaveLength(2);

  // Who moves the recording wants to see what is said there.
  audio.currentTime = 1;
  fireEvent.seeked(audio);
  await heard('Hello');
  expect(shown).toHaveLength(3);
});

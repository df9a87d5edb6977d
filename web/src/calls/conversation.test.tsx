// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ToolCallSchema } from '../gen/frontdesk/telemetry/v1/call_pb';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount } from '../testing/mount';

vi.mock('../session/current', () => ({ api: vi.fn(), session: {}, tabStorage: undefined }));

const { Conversation } = await import('./conversation');

beforeEach(() => {
  fillJsdomGaps();
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(cleanup);

function live(platform: string, tools: { id: string; name: string }[] = []) {
  const made = tools.map((tool) => create(ToolCallSchema, { ...tool, result: '{}', ok: true }));
  const page = <Conversation turns={[]} tools={made} live caller="Ana" platform={platform} />;
  mount([{ path: '/', element: page }], '/');
}

const LATER = 'ElevenLabs sends what is said only once the call has ended.';

it('promises the words of a live call only where the platform sends them during it', () => {
  live('retell');
  screen.getByText('What is said shows up here as it is spoken.');
  cleanup();
  live('elevenlabs');
  screen.getByText(LATER);
  expect(screen.queryByText('Waiting for the first words')).toBeNull();
});

it('says below the look-ups of a live call that its words come later', () => {
  live('elevenlabs', [{ id: 't1', name: 'find_customer' }]);
  screen.getByText('Looked up the caller');
  screen.getByText(LATER);
});

it('says once why look-ups are hidden, however many there were', () => {
  const hidden = ['t1', 't2'].map((id) =>
    create(ToolCallSchema, { id, name: 'find_customer', ok: true, dataHidden: true }),
  );
  const why = 'A customer’s number';
  const page = <Conversation turns={[]} tools={hidden} live={false} caller="Ana" whyHidden={why} />;
  mount([{ path: '/', element: page }], '/');
  expect(screen.getAllByText('Looked up the caller')).toHaveLength(2);
  expect(screen.getAllByText(/hidden with the caller’s phone number. A customer’s number\.$/)).toHaveLength(
    1,
  );
  expect(screen.queryByText('Raw data')).toBeNull();
});

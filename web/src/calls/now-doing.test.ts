import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { Speaker, ToolCallSchema, TurnSchema } from '../gen/frontdesk/telemetry/v1/call_pb';
import { doingText, nowDoing } from './now-doing';

const turn = (speaker: Speaker, text: string, offsetMs: number) =>
  create(TurnSchema, { speaker, text, offsetMs });
const tool = (name: string, offsetMs: number, result: string, ok: boolean) =>
  create(ToolCallSchema, { id: name, name, offsetMs, result, ok });

const textOf = (...parts: Parameters<typeof nowDoing>) => {
  const doing = nowDoing(...parts);
  return doing && doingText(doing);
};

describe('what happens in a call', () => {
  const asked = turn(Speaker.CALLER, 'Thursday at ten?', 4000);
  const searching = tool('search_availability', 5000, '', false);

  it('is nothing before the first word', () => {
    expect(nowDoing([], [])).toBeUndefined();
  });

  it('is the last turn, with its speaker', () => {
    expect(textOf([turn(Speaker.AGENT, 'Hello!', 0)], [])).toBe('Agent: “Hello!”');
    expect(textOf([turn(Speaker.AGENT, 'Hello!', 0), asked], [])).toBe('Caller: “Thursday at ten?”');
  });

  it('is what the agent looks up, until it has an answer', () => {
    expect(textOf([asked], [searching])).toBe('Looks for free times …');
    // Something said over it does not end it.
    expect(textOf([asked, turn(Speaker.AGENT, 'One moment.', 5500)], [searching])).toBe(
      'Looks for free times …',
    );
    expect(textOf([asked], [tool('search_availability', 5000, '{}', true)])).toBe('Looked for free times.');
    expect(textOf([asked], [tool('hold_time', 5000, '{"error":1}', false)])).toBe(
      'Hold time. It did not work.',
    );
  });
});

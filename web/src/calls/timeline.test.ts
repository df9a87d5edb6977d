import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { Speaker, ToolCallSchema, TurnSchema } from '../gen/frontdesk/telemetry/v1/call_pb';
import { latencyText, prettyJson, timelineOf, toolName, toolTimes } from './timeline';

const turn = (text: string, offsetMs: number) =>
  create(TurnSchema, { speaker: Speaker.AGENT, text, offsetMs });
const tool = (id: string, offsetMs: number) => create(ToolCallSchema, { id, name: id, offsetMs });

const order = (turns: ReturnType<typeof turn>[], tools: ReturnType<typeof tool>[]) =>
  timelineOf(turns, tools).map((entry) => (entry.kind === 'turn' ? entry.turn.text : entry.tool.id));

describe('the timeline of a call', () => {
  it('puts what was done between what was said', () => {
    const said = [turn('hello', 0), turn('a time?', 5000), turn('done', 9000)];
    expect(order(said, [tool('book', 8000), tool('search', 3000)])).toEqual([
      'hello',
      'search',
      'a time?',
      'book',
      'done',
    ]);
  });

  it('keeps turns without times in the platform’s order', () => {
    const said = [turn('one', -1), turn('two', 4000), turn('three', -1)];
    expect(order(said, [tool('x', 1000), tool('y', 5000)])).toEqual(['one', 'x', 'two', 'three', 'y']);
  });

  it('puts the agent’s words behind the tool that answered them, though its clock is a moment ahead', () => {
    const answers = (id: string, offsetMs: number, say: string) =>
      create(ToolCallSchema, { id, name: id, offsetMs, result: JSON.stringify({ ok: true, say }) });
    const said = [
      turn('hello', 0),
      turn('Noon with Mia. Shall I?', 5000),
      turn('Noon with Mia. Shall I?', 30_000),
    ];
    expect(order(said, [answers('hold', 5210, 'Noon with Mia.')])).toEqual([
      'hello',
      'hold',
      'Noon with Mia. Shall I?',
      'Noon with Mia. Shall I?',
    ]);
    expect(order(said, [answers('hold', 9000, 'Noon with Mia.')])[2]).toBe('hold');
  });

  it('shows what the agent does before the first turn', () => {
    expect(order([], [tool('b', 20), tool('a', 10)])).toEqual(['a', 'b']);
  });

  it('gives every entry a key of its own', () => {
    const keys = timelineOf([turn('x', 0), turn('x', 0)], [tool('a', 0), tool('b', 0)]).map(({ key }) => key);
    expect(new Set(keys).size).toBe(4);
  });
});

describe('a tool call', () => {
  it('is named like a sentence', () => {
    expect(['search_availability', 'bookAppointment', 'find-customer'].map(toolName)).toEqual([
      'Search availability',
      'Book appointment',
      'Find customer',
    ]);
  });

  it('shows JSON laid out, and anything else as it is', () => {
    expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(prettyJson('not json')).toBe('not json');
  });

  it('shows its latency in readable units', () => {
    expect([9, 999, 1000, 1240].map(latencyText)).toEqual(['9 ms', '999 ms', '1.0 s', '1.2 s']);
  });

  it('tells of a tool how long it took and when, and nothing of what is not known', () => {
    const done = { latencyMs: 84, offsetMs: 12_000, result: '{}', ok: true };
    const times = (values: object) => toolTimes(create(ToolCallSchema, { ...done, ...values }));
    expect(times({})).toBe('84 ms · 0:12');
    expect(times({ result: '', ok: false })).toBe('0:12');
    expect(times({ offsetMs: -1 })).toBe('84 ms');
  });
});

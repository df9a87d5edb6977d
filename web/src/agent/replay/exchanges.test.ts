import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../calls/timeline';
import { Speaker, ToolCallSchema, TurnSchema } from '../../gen/frontdesk/telemetry/v1/call_pb';
import { bookedText, exchangesOf, summaryText } from './exchanges';

const turn = (speaker: Speaker, text: string, interrupted = false): Entry => ({
  kind: 'turn',
  key: text,
  turn: create(TurnSchema, { speaker, text, interrupted, offsetMs: 1_000 }),
});
const agent = (text: string, interrupted = false) => turn(Speaker.AGENT, text, interrupted);
const caller = (text: string) => turn(Speaker.CALLER, text);
const tool = (name: string, asked: object, answer: object): Entry => ({
  kind: 'tool',
  key: name,
  tool: create(ToolCallSchema, {
    name,
    arguments: JSON.stringify(asked),
    result: JSON.stringify(answer),
    ok: true,
    latencyMs: 12,
    offsetMs: 1_000,
  }),
});
const search = (say: string) => tool('search_availability', { service: 'Haircut' }, { ok: true, say });
const booking = tool('book_appointment', {}, { ok: true, say: 'Booked.' });

/** The mark on each exchange. */
const marks = (call: Entry[], replay: Entry[] | undefined, over = true) =>
  exchangesOf(call, replay, over).map(({ difference }) => difference);

describe('a call beside its replay', () => {
  const call = [agent('Hello.'), caller('A haircut.'), search('At ten.'), agent('Ten?'), caller('Yes.')];

  it('is laid side by side by what the caller says', () => {
    const replay = [agent('Hi.'), caller('A haircut.'), agent('When?'), caller('Yes.'), agent('Fine.')];
    const found = exchangesOf(call, replay, true);
    expect(found.map(({ said }) => said?.text)).toEqual([undefined, 'A haircut.', 'Yes.']);
    expect(found.map(({ past, draft }) => [past.length, draft?.length])).toEqual([
      [1, 1],
      [2, 1],
      [0, 1],
    ]);
  });

  it('gives the draft’s answers no time: a model takes its own', () => {
    const [greeting] = exchangesOf(call, [agent('Hi.')], true);
    expect(greeting?.draft?.map((entry) => entry.kind === 'turn' && entry.turn.offsetMs)).toEqual([-1]);
  });

  it('tells no difference in pauses and capitals', () => {
    expect(marks([agent('Hello, Ana!')], [agent('hello – Ana')])).toEqual(['none']);
  });

  it('marks other words, another result, and something else that is done', () => {
    const asked = caller('A haircut.');
    const of = (...answer: Entry[]) =>
      marks([asked, search('At ten.'), agent('Ten?')], [asked, ...answer])[1];
    expect(of(search('At ten.'), agent('Ten?'))).toBe('none');
    expect(of(search('At ten.'), agent('How is ten?'))).toBe('words');
    expect(of(search('At two.'), agent('Two?'))).toBe('answers');
    expect(of(agent('When?'))).toBe('deeds');
    expect(of(search('At ten.'), booking)).toBe('deeds');
  });

  it('takes an answer that the caller cut short as far as it was heard', () => {
    const story = agent('Once upon a', true);
    expect(marks([story], [agent('Once upon a time.')])).toEqual(['none']);
    expect(marks([story], [agent('Twice.')])).toEqual(['words']);
  });

  it('marks nothing that may go on or was not reached', () => {
    expect(marks(call, undefined, false)).toEqual([undefined, undefined, undefined]);
    expect(marks(call, [agent('Hello.'), caller('A haircut.'), agent('T')], false)).toEqual([
      'none',
      undefined,
      undefined,
    ]);
    expect(exchangesOf(call, [agent('Hello.')], true)[2]?.draft).toBeUndefined();
  });

  it('is summed up in a sentence', () => {
    const replay = [agent('Hi.'), caller('A haircut.'), booking, caller('Yes.')];
    const found = exchangesOf(call, replay, true);
    expect(summaryText(found)).toBe(
      '3 answers: 1 the same, 1 in other words and 1 in which the draft does something else.',
    );
    expect(bookedText(found)).toBe('The draft books a visit, the call booked none.');
    expect(bookedText(exchangesOf([booking], [booking], true))).toBe('Both book a visit.');
    expect(bookedText(exchangesOf([booking], [agent('Hi.')], true))).toBe(
      'The call booked a visit, the draft books none.',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { timelineOf } from '../../calls/timeline';
import {
  begun,
  type Chat,
  type ChatLine,
  failing,
  interrupted,
  readLine,
  running,
  saying,
  taking,
} from './chat';

const words = (text: string): ChatLine => ({ type: 'words', text });

/** A chat after the person spoke and these lines came, a second apart. */
function after(lines: ChatLine[], from: Chat = begun('Hello.')): Chat {
  const said = saying(from, 'A haircut, please', 1_000);
  return lines.reduce((chat, line, at) => taking(chat, line, 2_000 + at * 1_000, from), said);
}

const order = (chat: Chat) =>
  timelineOf(chat.turns, chat.tools).map((entry) =>
    entry.kind === 'turn' ? entry.turn.text : entry.tool.name,
  );

const used: ChatLine[] = [
  { type: 'uses', tool: 'list_services', arguments: '{"service":"haircut"}' },
  { type: 'used', result: '{"ok":true,"say":"An hour."}', ok: true, milliseconds: 12 },
];

describe('a chat', () => {
  it('shows words and tools in the order in which they came', () => {
    const chat = after([
      words('One '),
      words('moment.'),
      ...used,
      words('It takes '),
      words('an hour.'),
      { type: 'over' },
    ]);
    expect(order(chat)).toEqual([
      'Hello.',
      'A haircut, please',
      'One moment.',
      'list_services',
      'It takes an hour.',
    ]);
    expect(chat.tools[0]).toMatchObject({ ok: true, latencyMs: 12 });
    expect(chat.reply).toEqual({ state: 'none' });
  });

  it('keeps words together that come in the same millisecond as the tool before them', () => {
    const lines: ChatLine[] = [...used, words('It takes '), words('an hour.'), { type: 'over' }];
    const said = saying(begun('Hello.'), 'A haircut, please', 1_000);
    const chat = lines.reduce((known, line) => taking(known, line, 2_000, known), said);
    expect(order(chat)).toEqual(['Hello.', 'A haircut, please', 'list_services', 'It takes an hour.']);
  });

  it('says what was heard since it was carried last when the person breaks in', () => {
    const stopped = interrupted(
      after([{ type: 'carried', carried: 'c1' }, words('I have ten, '), words('or')]),
    );
    expect(stopped).toMatchObject({ carried: 'c1', heard: 'I have ten, or', reply: { state: 'none' } });
    expect(stopped.turns.at(-1)?.text).toBe('I have ten, or…');
    const running = interrupted(after([used[0] as ChatLine]));
    expect(running.tools[0]?.result).toContain('Stopped');
    expect(
      after([{ type: 'carried', carried: 'c1' }, ...used, { type: 'carried', carried: 'c2' }]).heard,
    ).toBe('');
  });

  it('lets the same be said again from where it was when there is no reply', () => {
    const before = { ...begun('Hello.'), carried: 'c0' };
    const failed = after(
      [
        { type: 'carried', carried: 'c1' },
        { type: 'failed', message: 'No answer.' },
      ],
      before,
    );
    expect(failed.reply).toEqual({
      state: 'failed',
      message: 'No answer.',
      said: 'A haircut, please',
      from: before,
    });
    expect(failing(before, 'Away.', before).reply).toMatchObject({ state: 'failed', said: '' });
  });

  it('takes the words of a replayed caller, and what has changed since', () => {
    const chat = [
      { type: 'changed', tool: 'list_services', before: 'An hour.', after: 'Two hours.' },
      { type: 'said', text: 'Hi' },
      words('Hello!'),
      { type: 'over' },
    ].reduce<Chat>(
      (known, line, at) => taking(known, line as ChatLine, at * 1_000, known),
      running(begun('Welcome.')),
    );
    expect(order(chat)).toEqual(['Welcome.', 'Hi', 'Hello!']);
    expect(chat.changed).toEqual([{ tool: 'list_services', before: 'An hour.', after: 'Two hours.' }]);
    expect(chat.reply).toEqual({ state: 'none' });
  });

  it('reads the lines of the contract and passes over those of a later release', () => {
    expect(readLine('{"type":"words","text":"Hi"}')).toEqual(words('Hi'));
    for (const text of ['{"type":"mood","mood":"good"}', '{', '{"type":"words"}'])
      expect(readLine(text)).toBeUndefined();
  });
});

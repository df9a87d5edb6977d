import { create } from '@bufbuild/protobuf';
import { type Entry, isRunning } from '../../calls/timeline';
import { answerText, doneText } from '../../calls/tool-words';
import { Speaker, ToolCallSchema, type Turn, TurnSchema } from '../../gen/frontdesk/telemetry/v1/call_pb';

/** How the draft's answer differs from the call's: not at all, in its words, in what it looked up, in what it did. */
export type Difference = 'none' | 'words' | 'answers' | 'deeds';

/** What the caller says, and what the agent said and did about it: in the call, and in the replay. */
export type Exchange = {
  key: string;
  /** Nothing before the agent's greeting. */
  said?: Turn;
  past: Entry[];
  /** Undefined as long as the replay has not come to it. */
  draft?: Entry[];
  /** Undefined as long as the draft may go on with it. */
  difference?: Difference;
};

/** A call beside its replay, which repeats the caller's turns one by one; `over` where the replay has no more to come. */
export function exchangesOf(call: Entry[], replay: Entry[] | undefined, over: boolean): Exchange[] {
  const [then, now] = [byTheCaller(call), byTheCaller(replay ?? [])];
  return then.map(({ said, answer }, index) => {
    const again = replay && now[index]?.answer.map(withoutTime);
    const isSettled = index < now.length - 1 || over;
    return {
      key: String(index),
      ...(said && { said }),
      past: answer,
      ...(again && { draft: again }),
      ...(again && isSettled && { difference: differenceOf(answer, again) }),
    };
  });
}

type Part = { said?: Turn; answer: Entry[] };

/** The greeting, and then what follows on each turn of the caller. */
function byTheCaller(entries: Entry[]): Part[] {
  const parts: Part[] = [{ answer: [] }];
  for (const entry of entries) {
    if (entry.kind === 'turn' && entry.turn.speaker === Speaker.CALLER)
      parts.push({ said: entry.turn, answer: [] });
    else parts.at(-1)?.answer.push(entry);
  }
  return parts;
}

/** A replay takes the time that the model needs, not that of the call. */
function withoutTime(entry: Entry): Entry {
  const offsetMs = -1;
  return entry.kind === 'turn'
    ? { ...entry, turn: create(TurnSchema, { ...entry.turn, offsetMs }) }
    : { ...entry, tool: create(ToolCallSchema, { ...entry.tool, offsetMs }) };
}

function differenceOf(then: Entry[], now: Entry[]): Difference {
  if (deedsOf(then) !== deedsOf(now)) return 'deeds';
  if (answersOf(then) !== answersOf(now)) return 'answers';
  return saysTheSame(then, now) ? 'none' : 'words';
}

const toolsOf = (entries: Entry[]) => entries.flatMap((entry) => (entry.kind === 'tool' ? [entry.tool] : []));

const deedsOf = (entries: Entry[]) =>
  toolsOf(entries)
    .map((tool) => `${tool.name} ${doneText(tool)} ${tool.ok} ${isRunning(tool)}`.toLowerCase())
    .join('\n');

const answersOf = (entries: Entry[]) => toolsOf(entries).map(answerText).join('\n');

/** What was cut short by the caller is the same as far as it was heard. */
function saysTheSame(then: Entry[], now: Entry[]): boolean {
  const [before, after] = [wordsOf(then), wordsOf(now)];
  const wasCut = then.some((entry) => entry.kind === 'turn' && entry.turn.interrupted);
  return wasCut ? after.startsWith(before) : after === before;
}

/** Letters and figures alone: how a platform writes a pause down is no difference. */
const wordsOf = (entries: Entry[]) =>
  entries
    .flatMap((entry) => (entry.kind === 'turn' ? [entry.turn.text] : []))
    .join(' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Whether a visit was booked in it. */
const hasBooked = (entries: Entry[]): boolean =>
  toolsOf(entries).some(({ name, ok }) => name === 'book_appointment' && ok);

/** "6 answers: 3 are the same, 1 differs in words, 2 in what the agent did." */
export function summaryText(exchanges: readonly Exchange[]): string {
  const compared = exchanges.flatMap(({ difference }) => (difference ? [difference] : []));
  const count = (wanted: Difference) => compared.filter((one) => one === wanted).length;
  const parts = [
    [count('none'), 'the same'],
    [count('words'), 'in other words'],
    [count('answers'), 'with another result'],
    [count('deeds'), 'in which the draft does something else'],
  ] as const;
  const told = parts.filter(([many]) => many > 0).map(([many, what]) => `${many} ${what}`);
  const answers = compared.length === 1 ? '1 answer' : `${compared.length} answers`;
  return `${answers}: ${new Intl.ListFormat('en-GB').format(told)}.`;
}

/** What both came to for the book. */
export function bookedText(exchanges: readonly Exchange[]): string {
  const then = exchanges.some((exchange) => hasBooked(exchange.past));
  const now = exchanges.some((exchange) => hasBooked(exchange.draft ?? []));
  if (then && now) return 'Both book a visit.';
  if (then) return 'The call booked a visit, the draft books none.';
  return now ? 'The draft books a visit, the call booked none.' : '';
}

import { Speaker, type ToolCall, type Turn } from '../gen/frontdesk/telemetry/v1/call_pb';
import { clockText } from '../time/zoned';
import { fieldsOf, textOf } from './tool-fields';

export type Entry = { kind: 'turn'; key: string; turn: Turn } | { kind: 'tool'; key: string; tool: ToolCall };

const UNKNOWN = -1;

/** Platforms round the times of turns to seconds, and count them from when they heard the call themselves. */
const CLOCKS_APART_MS = 2_000;

/**
 * What was said and what was done, in one order. A platform that gives no times
 * still gives the turns in order, so a turn without one stays behind its predecessor.
 * Words that a tool answered come behind it, though another clock has them a moment earlier.
 */
export function timelineOf(turns: Turn[], tools: ToolCall[]): Entry[] {
  const said = turns.map((turn, index) => ({ kind: 'turn', key: `turn-${index}`, turn }) as const);
  const waiting = [...tools].sort((one, other) => one.offsetMs - other.offsetMs);
  const entries: Entry[] = [];
  for (const entry of said) {
    const { offsetMs: offset } = entry.turn;
    if (offset !== UNKNOWN)
      entries.push(...take(waiting, (tool) => tool.offsetMs < offset || isSaidBy(entry.turn, tool)));
    entries.push(entry);
  }
  return [...entries, ...take(waiting, () => true)];
}

/** Whether the agent's turn says what the tool answered at about that time. */
function isSaidBy({ speaker, text, offsetMs }: Turn, tool: ToolCall): boolean {
  const say = textOf(fieldsOf(tool.result).say);
  return (
    speaker === Speaker.AGENT &&
    say !== '' &&
    text.includes(say) &&
    tool.offsetMs < offsetMs + CLOCKS_APART_MS
  );
}

function take(waiting: ToolCall[], due: (tool: ToolCall) => boolean): Entry[] {
  const until = waiting.findIndex((tool) => !due(tool));
  const taken = waiting.splice(0, until < 0 ? waiting.length : until);
  return taken.map((tool): Entry => ({ kind: 'tool', key: `tool-${tool.id}`, tool }));
}

/** "search_availability" → "Search availability". */
export function toolName(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_\-.]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** JSON laid out for reading; what is not JSON stays as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** "84 ms", "1.2 s". */
export function latencyText(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** "84 ms · 0:12": how long a tool took and when, as far as either is known. */
export function toolTimes(tool: ToolCall): string {
  return [
    !isRunning(tool) && latencyText(tool.latencyMs),
    tool.offsetMs !== UNKNOWN && clockText(tool.offsetMs),
  ]
    .filter(Boolean)
    .join(' · ');
}

export function isRunning(tool: ToolCall): boolean {
  return tool.result === '' && !tool.ok && !tool.dataHidden;
}

import { Speaker, type ToolCall, type Turn } from '../gen/frontdesk/telemetry/v1/call_pb';
import { isRunning, timelineOf } from './timeline';
import { doneText } from './tool-words';

export type NowDoing =
  | { kind: 'said'; by: 'agent' | 'caller'; text: string }
  | { kind: 'tool'; name: string; state: 'running' | 'done' | 'failed' };

/** The latest event of a call: a running tool call, else the last turn or tool call. */
export function nowDoing(turns: Turn[], tools: ToolCall[]): NowDoing | undefined {
  const running = tools.findLast(isRunning);
  if (running) return { kind: 'tool', name: doneText(running), state: 'running' };
  const last = timelineOf(turns, tools).at(-1);
  if (last?.kind === 'tool') {
    return { kind: 'tool', name: doneText(last.tool), state: last.tool.ok ? 'done' : 'failed' };
  }
  return (
    last && {
      kind: 'said',
      by: last.turn.speaker === Speaker.AGENT ? 'agent' : 'caller',
      text: last.turn.text,
    }
  );
}

/** "Agent: “Let me look.”", "Looks for free times: haircut …". */
export function doingText(doing: NowDoing): string {
  if (doing.kind === 'said') return `${doing.by === 'agent' ? 'Agent' : 'Caller'}: “${doing.text}”`;
  switch (doing.state) {
    case 'running':
      return `${doing.name} …`;
    case 'done':
      return `${doing.name}.`;
    case 'failed':
      return `${doing.name}. It did not work.`;
  }
}

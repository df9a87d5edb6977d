import { create } from '@bufbuild/protobuf';
import * as z from 'zod/mini';
import {
  Speaker,
  type ToolCall,
  ToolCallSchema,
  type Turn,
  TurnSchema,
} from '../../gen/frontdesk/telemetry/v1/call_pb';

/** A line of the answer to what was said. */
const line = z.discriminatedUnion('type', [
  z.object({ type: z.literal('words'), text: z.string() }),
  z.object({ type: z.literal('uses'), tool: z.string(), arguments: z.string() }),
  z.object({ type: z.literal('used'), result: z.string(), ok: z.boolean(), milliseconds: z.number() }),
  z.object({ type: z.literal('carried'), carried: z.string() }),
  z.object({ type: z.literal('said'), text: z.string() }),
  z.object({ type: z.literal('changed'), tool: z.string(), before: z.string(), after: z.string() }),
  z.object({ type: z.literal('over') }),
  z.object({ type: z.literal('failed'), message: z.string() }),
]);

export type ChatLine = z.infer<typeof line>;

/** Reads a line; undefined for one of a later release. */
export function readLine(text: string): ChatLine | undefined {
  try {
    return z.safeParse(line, JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** What happens to what was said last. */
type Reply =
  | { state: 'none' }
  | { state: 'coming' }
  | { state: 'failed'; message: string; said: string; from: Chat };

/** What a look-up of a past call said then, and says now as of then. */
export type Changed = { tool: string; before: string; after: string };

/** A chat as its page keeps it. */
export type Chat = {
  turns: Turn[];
  tools: ToolCall[];
  /** What the next turn goes on from. */
  carried: string;
  /** The agent's words since then. */
  heard: string;
  /** Of a replay: what is no longer as it was. */
  changed: Changed[];
  reply: Reply;
};

/** A chat in which the agent has said its greeting. */
export function begun(greeting: string): Chat {
  return {
    turns: [turn(Speaker.AGENT, greeting, 0)],
    tools: [],
    carried: '',
    heard: '',
    changed: [],
    reply: { state: 'none' },
  };
}

/** A replay: the words of a caller come with those of the agent. */
export function running(chat: Chat): Chat {
  return { ...chat, reply: { state: 'coming' } };
}

function turn(speaker: Speaker, text: string, offsetMs: number): Turn {
  return create(TurnSchema, { speaker, text, offsetMs });
}

/** The person said something. */
export function saying(chat: Chat, text: string, offsetMs: number): Chat {
  return {
    ...chat,
    turns: [...chat.turns, turn(Speaker.CALLER, text, offsetMs)],
    reply: { state: 'coming' },
  };
}

/** What a line makes of a chat; `before` is what it was before the person spoke. */
export function taking(chat: Chat, said: ChatLine, offsetMs: number, before: Chat): Chat {
  switch (said.type) {
    case 'words':
      return { ...chat, turns: withWords(chat, said.text, offsetMs), heard: chat.heard + said.text };
    case 'uses': {
      const { tool: name, arguments: asked } = said;
      const id = String(chat.tools.length);
      return {
        ...chat,
        tools: [...chat.tools, create(ToolCallSchema, { id, name, arguments: asked, offsetMs })],
      };
    }
    case 'used': {
      const { result, ok, milliseconds: latencyMs } = said;
      const last = chat.tools.at(-1);
      if (!last) return chat;
      return {
        ...chat,
        tools: [...chat.tools.slice(0, -1), create(ToolCallSchema, { ...last, result, ok, latencyMs })],
      };
    }
    case 'carried':
      return { ...chat, carried: said.carried, heard: '' };
    case 'said':
      return saying(chat, said.text, offsetMs);
    case 'changed': {
      const { tool, before: was, after: is } = said;
      return { ...chat, changed: [...chat.changed, { tool, before: was, after: is }] };
    }
    case 'over':
      return { ...chat, reply: { state: 'none' } };
    case 'failed':
      return failing(chat, said.message, before);
  }
}

/** There is no reply: the same may be said again, from where it was. */
export function failing(chat: Chat, message: string, before: Chat): Chat {
  const said = chat.turns.findLast(({ speaker }) => speaker === Speaker.CALLER)?.text ?? '';
  return { ...chat, tools: chat.tools.map(ended), reply: { state: 'failed', message, said, from: before } };
}

/** The person broke in: what was shown is what was heard. */
export function interrupted(chat: Chat): Chat {
  const last = chat.turns.at(-1);
  const cut =
    last?.speaker === Speaker.AGENT
      ? [...chat.turns.slice(0, -1), turn(last.speaker, `${last.text}…`, last.offsetMs)]
      : chat.turns;
  return { ...chat, turns: cut, tools: chat.tools.map(ended), reply: { state: 'none' } };
}

/** A tool whose answer no one waits for. */
function ended(tool: ToolCall): ToolCall {
  if (tool.result !== '' || tool.ok) return tool;
  return create(ToolCallSchema, {
    ...tool,
    result: JSON.stringify({ say: 'Stopped before it was answered.' }),
  });
}

/** Words go on with the agent's turn, or begin one behind what was said or done last. */
function withWords({ turns, tools }: Chat, text: string, offsetMs: number): Turn[] {
  const last = turns.at(-1);
  const toolSince = (tools.at(-1)?.offsetMs ?? -1) >= (last?.offsetMs ?? 0);
  if (last?.speaker === Speaker.AGENT && !toolSince)
    return [...turns.slice(0, -1), turn(Speaker.AGENT, last.text + text, last.offsetMs)];
  // A tool and the words about it may come in the same millisecond.
  const behind = Math.max(offsetMs, (tools.at(-1)?.offsetMs ?? -1) + 1);
  return text.trim() ? [...turns, turn(Speaker.AGENT, text, behind)] : turns;
}

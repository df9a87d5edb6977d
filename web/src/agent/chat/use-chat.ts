import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../http/errors';
import { api } from '../../session/current';
import { begun, type Chat, failing, interrupted, readLine, saying, taking } from './chat';

/** Longer than a turn with all its tools may take. */
const TURN_TIMEOUT_MS = 75_000;
const TEMPLATE = '/api/v1/businesses/{business_id}/agent-chats/{agent_chat_id}/turns';

type UseChatProps = { businessId: string; chatId: string; greeting: string; callerNumber: string };

/** A chat with the agent: what was said, and how to say, stop and try again. */
export function useChat({ businessId, chatId, greeting, callerNumber }: UseChatProps) {
  const [chat, setChat] = useState(() => begun(greeting));
  const [start] = useState(() => performance.now());
  const turn = useRef<AbortController>(undefined);
  useEffect(() => () => turn.current?.abort(), []);

  const say = async (text: string, before: Chat) => {
    const elapsed = () => Math.round(performance.now() - start);
    const controller = new AbortController();
    turn.current = controller;
    // What is drawn follows the lines of this turn alone.
    const change = (next: (chat: Chat) => Chat) => !controller.signal.aborted && setChat(next);
    setChat(saying(before, text, elapsed()));
    let ended = false;
    try {
      await api({
        verb: 'POST',
        path: `/v1/businesses/${businessId}/agent-chats/${chatId}/turns`,
        template: TEMPLATE,
        body: { text, carried: before.carried, heard: before.heard, callerNumber },
        timeoutMs: TURN_TIMEOUT_MS,
        signal: controller.signal,
        onLine: (line) => {
          const read = readLine(line);
          if (!read) return;
          ended ||= read.type === 'over' || read.type === 'failed';
          change((known) => taking(known, read, elapsed(), before));
        },
      });
      if (!ended) change((known) => failing(known, 'The answer broke off.', before));
    } catch (error) {
      change((known) => failing(known, messageOf(error, 'There was no answer.'), before));
    }
  };

  return {
    chat,
    say: (text: string) => void say(text, chat),
    stop: () => {
      turn.current?.abort();
      setChat(interrupted);
    },
    again: () => chat.reply.state === 'failed' && void say(chat.reply.said, chat.reply.from),
  };
}

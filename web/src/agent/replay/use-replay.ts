import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../http/errors';
import { api } from '../../session/current';
import { begun, type Chat, failing, interrupted, readLine, running, taking } from '../chat/chat';

/** As long as a replay of a long call may take. */
const TIMEOUT_MS = 10 * 60_000;
const TEMPLATE = '/api/v1/businesses/{business_id}/agent-chats/{agent_chat_id}/replay';

/** What the draft makes of a past call, as it comes. */
export function useReplay(businessId: string, callId: string) {
  const [chat, setChat] = useState<Chat>();
  const [stopped, setStopped] = useState(false);
  const request = useRef<AbortController>(undefined);
  useEffect(() => () => request.current?.abort(), []);

  const start = async (chatId: string, greeting: string) => {
    const began = performance.now();
    const controller = new AbortController();
    request.current = controller;
    const first = running(begun(greeting));
    const change = (next: (chat: Chat) => Chat) =>
      !controller.signal.aborted && setChat((known) => next(known ?? first));
    setStopped(false);
    setChat(first);
    let ended = false;
    try {
      await api({
        verb: 'POST',
        path: `/v1/businesses/${businessId}/agent-chats/${chatId}/replay`,
        template: TEMPLATE,
        body: { callId },
        timeoutMs: TIMEOUT_MS,
        signal: controller.signal,
        onLine: (text) => {
          const line = readLine(text);
          if (!line) return;
          ended ||= line.type === 'over' || line.type === 'failed';
          change((known) => taking(known, line, Math.round(performance.now() - began), first));
        },
      });
      if (!ended) change((known) => failing(known, 'The replay broke off.', first));
    } catch (error) {
      change((known) => failing(known, messageOf(error, 'There was no answer.'), first));
    }
  };

  return {
    chat,
    /** A person stopped it before its end. */
    stopped,
    start: (chatId: string, greeting: string) => void start(chatId, greeting),
    stop: () => {
      request.current?.abort();
      setStopped(true);
      setChat((known) => known && interrupted(known));
    },
  };
}

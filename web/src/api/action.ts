import {
  type DescMessage,
  type DescMethodUnary,
  getOption,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import { useMutation, useMutationState } from '@tanstack/react-query';
import { useState } from 'react';
import { rule } from '../gen/frontdesk/access/v1/access_pb';
import { isPassing } from '../http/errors';
import { call } from './call';
import { inputJson } from './outgoing';
import { methodKey } from './query';

const RETRIES = 2;
const RETRY_DELAY_MS = 1000;
/** Pressed later than this after a lost answer, a button means another intention. */
const LOST_FOR_MS = 60_000;

type Intention<I extends DescMessage> = { input: MessageInitShape<I>; idempotencyKey: string };

/** Only what takes a key has one effect however often it is sent: an answer that is lost may be that of a change made. */
const mayRepeat = (method: DescMethodUnary, failures: number, error: unknown): boolean =>
  getOption(method, rule).idempotencyKey && failures < RETRIES && isPassing(error);

/** One intention, however often the network makes it repeat, where no component waits for it. */
export async function intend<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  input: MessageInitShape<I>,
  /** Of an intention that may be repeated later. */
  idempotencyKey: string = crypto.randomUUID(),
): Promise<MessageShape<O>> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await call(method, input, { idempotencyKey });
    } catch (error) {
      if (!mayRepeat(method, failures, error)) throw error;
      await new Promise((again) => setTimeout(again, RETRY_DELAY_MS));
    }
  }
}

/** The keys of one person's attempts: what is sent again unchanged, soon after its answer was lost, is the same intention. */
class Keys<I extends DescMessage, O extends DescMessage> {
  readonly #method: DescMethodUnary<I, O>;
  #lost: { body: string; key: string; at: number } | undefined;
  /** The latest one while it is under way: the second click of a double click comes before the button shows that. */
  #latest: string | undefined;

  constructor(method: DescMethodUnary<I, O>) {
    this.#method = method;
  }

  intention(input: MessageInitShape<I>): Intention<I> {
    const lost = this.#lost && Date.now() - this.#lost.at < LOST_FOR_MS ? this.#lost : undefined;
    const idempotencyKey = lost?.body === this.#bodyOf(input) ? lost.key : crypto.randomUUID();
    return { input, idempotencyKey };
  }

  /** The same, unless it is the latest one and still under way. */
  begin(input: MessageInitShape<I>): Intention<I> | undefined {
    const body = this.#bodyOf(input);
    if (this.#latest === body) return undefined;
    this.#latest = body;
    return this.intention(input);
  }

  /** After an error that decides nothing, it may have taken effect. After any known outcome, the person has moved on. */
  ended({ input, idempotencyKey: key }: Intention<I>, error?: unknown): void {
    const body = this.#bodyOf(input);
    if (this.#latest === body) this.#latest = undefined;
    this.#lost = isPassing(error) ? { body, key, at: Date.now() } : undefined;
  }

  #bodyOf(input: MessageInitShape<I>): string {
    return JSON.stringify(inputJson(this.#method, input));
  }
}

/**
 * A change of the contract as a mutation. Each `act` is one intention with one
 * key, however often the network makes it repeat; the latest is not begun again while it is under way.
 */
export function useAction<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  options: {
    onDone?: (answer: MessageShape<O>, input: MessageInitShape<I>) => void;
    onRefused?: (error: unknown, input: MessageInitShape<I>) => void;
  } = {},
): { act: (input: MessageInitShape<I>) => void; running: boolean; error: Error | null; reset: () => void } {
  const [keys] = useState(() => new Keys(method));
  const mutation = useMutation({
    mutationKey: [methodKey(method)],
    mutationFn: ({ input, idempotencyKey }: Intention<I>) => call(method, input, { idempotencyKey }),
    retry: (failures, error) => mayRepeat(method, failures, error),
    onSuccess: (answer, intention) => {
      keys.ended(intention);
      options.onDone?.(answer, intention.input);
    },
    onError: (error, intention) => {
      keys.ended(intention, error);
      options.onRefused?.(error, intention.input);
    },
  });
  return {
    act: (input) => {
      const intention = keys.begin(input);
      if (intention) mutation.mutate(intention);
    },
    running: mutation.isPending,
    error: mutation.error,
    reset: mutation.reset,
  };
}

/** The inputs of the changes of a method that are under way, on any part of the screen. */
export function useUnderWay<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
): MessageInitShape<I>[] {
  return useMutationState({
    filters: { mutationKey: [methodKey(method)], status: 'pending' },
    select: ({ state }) => (state.variables as Intention<I>).input,
  });
}

/** A change that a form sends when its person says so: pressed again after an answer was lost, it takes effect once. */
export function useSending<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
): (input: MessageInitShape<I>) => Promise<MessageShape<O>> {
  const [keys] = useState(() => new Keys(method));
  return async (input) => {
    const intention = keys.intention(input);
    try {
      const answer = await call(method, input, { idempotencyKey: intention.idempotencyKey });
      keys.ended(intention);
      return answer;
    } catch (error) {
      keys.ended(intention, error);
      throw error;
    }
  };
}

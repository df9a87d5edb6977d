import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { useMutation } from '@tanstack/react-query';
import { isPassing } from '../http/errors';
import { call } from './call';

const RETRIES = 2;
const RETRY_DELAY_MS = 1000;

type Intention<I extends DescMessage> = { input: MessageInitShape<I>; idempotencyKey: string };

/** One intention, however often the network makes it repeat, where no component waits for it. */
export async function intend<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  input: MessageInitShape<I>,
): Promise<MessageShape<O>> {
  const idempotencyKey = crypto.randomUUID();
  for (let failures = 0; ; failures += 1) {
    try {
      return await call(method, input, { idempotencyKey });
    } catch (error) {
      if (failures >= RETRIES || !isPassing(error)) throw error;
      await new Promise((again) => setTimeout(again, RETRY_DELAY_MS));
    }
  }
}

/**
 * A change of the contract as a mutation. Each `act` is one intention with one
 * key, however often the network makes it repeat.
 */
export function useAction<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  options: {
    onDone?: (answer: MessageShape<O>, input: MessageInitShape<I>) => void;
    onRefused?: (error: unknown, input: MessageInitShape<I>) => void;
    /** Not repeated, for a method without an idempotency key whose repetition meets what the first attempt left. */
    once?: boolean;
  } = {},
): { act: (input: MessageInitShape<I>) => void; running: boolean; error: Error | null; reset: () => void } {
  const mutation = useMutation({
    mutationFn: ({ input, idempotencyKey }: Intention<I>) => call(method, input, { idempotencyKey }),
    retry: (failures, error) => !options.once && failures < RETRIES && isPassing(error),
    onSuccess: (answer, { input }) => options.onDone?.(answer, input),
    onError: (error, { input }) => options.onRefused?.(error, input),
  });
  return {
    act: (input) => mutation.mutate({ input, idempotencyKey: crypto.randomUUID() }),
    running: mutation.isPending,
    error: mutation.error,
    reset: mutation.reset,
  };
}

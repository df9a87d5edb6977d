import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { useMutation } from '@tanstack/react-query';
import { isPassing } from '../http/errors';
import { call } from './call';

const RETRIES = 2;

type Intention<I extends DescMessage> = { input: MessageInitShape<I>; idempotencyKey: string };

/**
 * A change of the contract as a mutation. Each `act` is one intention with one
 * key, however often the network makes it repeat.
 */
export function useAction<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  options: {
    onDone?: (answer: MessageShape<O>, input: MessageInitShape<I>) => void;
    onRefused?: (error: unknown, input: MessageInitShape<I>) => void;
  } = {},
): { act: (input: MessageInitShape<I>) => void; running: boolean; error: Error | null; reset: () => void } {
  const mutation = useMutation({
    mutationFn: ({ input, idempotencyKey }: Intention<I>) => call(method, input, { idempotencyKey }),
    retry: (failures, error) => failures < RETRIES && isPassing(error),
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

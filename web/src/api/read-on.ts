import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { isPassing } from '../http/errors';
import { call } from './call';

const RETRIES = 3;
const RETRY_DELAY_MS = 1000;

/** One of many reads of a whole: tried again after what decides nothing, since all those before it would be lost. */
export async function readOn<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  input: MessageInitShape<I>,
): Promise<MessageShape<O>> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await call(method, input);
    } catch (error) {
      if (failures >= RETRIES || !isPassing(error)) throw error;
      await new Promise((again) => setTimeout(again, RETRY_DELAY_MS));
    }
  }
}

import { outcomeName } from '../business/call-outcome';
import { CallOutcome } from '../gen/frontdesk/telemetry/v1/call_pb';
import { ProductEventType } from '../gen/frontdesk/telemetry/v1/product_event_pb';

/** What an event says beside its type: how a call ended in the words of the calls’ list, else the word itself. */
export function detailText(type: ProductEventType, detail: string): string {
  if (type !== ProductEventType.CALL_ENDED) return detail;
  const outcome = CallOutcome[detail as keyof typeof CallOutcome];
  return outcome === undefined ? detail : outcomeName(outcome);
}

import { outcomeName } from '../business/call-outcome';
import { CallOutcome } from '../gen/frontdesk/telemetry/v1/call_pb';
import { type ProductEvent, ProductEventType } from '../gen/frontdesk/telemetry/v1/product_event_pb';
import { pageName } from './page-name';

const FILES: Readonly<Record<string, string>> = {
  calls: 'calls',
  demand: 'the demand for services',
  events: 'events',
  services: 'services',
};

type Told = Pick<ProductEvent, 'type' | 'page' | 'detail'>;

/** What happened, in a sentence: "Opened the waitlist", "A call ended: Booked". */
export function eventText({ type, page, detail }: Told): string {
  switch (type) {
    case ProductEventType.PAGE_OPENED:
      return page ? `Opened ${pageName(page)}` : 'Opened a page';
    case ProductEventType.LIST_FILTERED:
      return page ? `Searched or filtered ${pageName(page)}` : 'Searched or filtered a list';
    case ProductEventType.FILE_EXPORTED:
      return `Exported ${FILES[detail] ?? (detail || 'a file')}`;
    case ProductEventType.CALL_ENDED: {
      const outcome = CallOutcome[detail as keyof typeof CallOutcome];
      const what = outcome === undefined ? detail : outcomeName(outcome);
      return what ? `A call ended: ${what}` : 'A call ended';
    }
    case ProductEventType.CALL_BOOKED:
      return 'Booked a visit in a call';
    default:
      return 'Unknown event';
  }
}

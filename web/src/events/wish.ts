import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ProductEventType } from '../gen/frontdesk/telemetry/v1/product_event_pb';
import { isId } from '../paths';
import { instantOf } from '../time/local';
import { dayKey, localMinute } from '../time/zoned';

export const TYPES = [
  ProductEventType.PAGE_OPENED,
  ProductEventType.LIST_FILTERED,
  ProductEventType.FILE_EXPORTED,
  ProductEventType.CALL_ENDED,
  ProductEventType.CALL_BOOKED,
];

export const TYPE_TEXT: Readonly<Record<ProductEventType, string>> = {
  [ProductEventType.UNSPECIFIED]: 'Unknown',
  [ProductEventType.PAGE_OPENED]: 'Page opened',
  [ProductEventType.LIST_FILTERED]: 'List filtered',
  [ProductEventType.FILE_EXPORTED]: 'File exported',
  [ProductEventType.CALL_ENDED]: 'Call ended',
  [ProductEventType.CALL_BOOKED]: 'Visit booked in a call',
};

/** How far back, in hours, and how many steps the histogram then has. */
export const SPANS = [
  ['1', 'Last hour'],
  ['24', '24 hours'],
  ['168', '7 days'],
  ['720', '30 days'],
  ['2160', '90 days'],
] as const;
type SpanHours = (typeof SPANS)[number][0];

export const STEPS: Readonly<Record<SpanHours, number>> = {
  '1': 60,
  '24': 24,
  '168': 28,
  '720': 30,
  '2160': 90,
};

/** What one of these steps is. */
export const STEP_TEXT: Readonly<Record<SpanHours, string>> = {
  '1': 'minute',
  '24': 'hour',
  '168': '6 hours',
  '720': 'day',
  '2160': 'day',
};

const MINUTE_MS = 60_000;

/** Which events are shown, as the address says. */
export type EventWish = { business: string; type: ProductEventType; actor: string; hours: SpanHours };

export function wishOf(search: URLSearchParams): EventWish {
  const business = search.get('business') ?? '';
  const hours = SPANS.map(([span]) => span).find((span) => span === search.get('hours'));
  return {
    business: isId(business) ? business : '',
    type: TYPES.find((type) => ProductEventType[type] === search.get('type')) ?? ProductEventType.UNSPECIFIED,
    actor: (search.get('actor') ?? '').slice(0, 100),
    hours: hours ?? '24',
  };
}

export function searchOf({ business, type, actor, hours }: EventWish): URLSearchParams {
  return new URLSearchParams({
    ...(business && { business }),
    ...(type !== ProductEventType.UNSPECIFIED && { type: ProductEventType[type] }),
    ...(actor.trim() && { actor: actor.trim() }),
    ...(hours !== '24' && { hours }),
  });
}

/** How long a step is, in minutes of the clock. */
export const stepMinutes = ({ hours }: Pick<EventWish, 'hours'>) => (Number(hours) * 60) / STEPS[hours];

/**
 * When each step of a wish begins, and when the last one ends: with full minutes, hours and days of the viewer's clock.
 * The running step is in it.
 */
export function stepsOf(wish: Pick<EventWish, 'hours'>, now: Date, zone: string): Date[] {
  const [step, count] = [stepMinutes(wish), STEPS[wish.hours]];
  const from = (_: unknown, index: number) => index - count;
  if (step === 1) {
    const minute = Math.floor(now.getTime() / MINUTE_MS) + 1;
    return Array.from({ length: count + 1 }, from).map((ago) => new Date((minute + ago) * MINUTE_MS));
  }
  const day = dayKey(now, zone);
  const end = (Math.floor(localMinute(now, zone).minute / step) + 1) * step;
  return Array.from({ length: count + 1 }, from).map((ago) => instantOf(day, end + ago * step, zone));
}

/** When the span of a wish begins and ends. */
export function spanOf(wish: Pick<EventWish, 'hours'>, now: Date, zone: string): { from: Date; to: Date } {
  const steps = stepsOf(wish, now, zone);
  const [from = now, to = now] = [steps[0], steps.at(-1)];
  return { from, to };
}

/** The filter as the service is asked for it. */
export function filterOf(wish: EventWish, now: Date, zone: string) {
  const { from, to } = spanOf(wish, now, zone);
  return {
    businessId: wish.business,
    types: wish.type === ProductEventType.UNSPECIFIED ? [] : [wish.type],
    actor: wish.actor.trim(),
    from: timestampFromDate(from),
    to: timestampFromDate(to),
  };
}

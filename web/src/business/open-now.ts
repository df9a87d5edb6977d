import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { ApiError } from '../http/errors';
import { inSentence } from '../time/in-sentence';
import { dayKey, dayName, moment, timeOfDay } from '../time/zoned';

/** From when and until when something can be done with a visit. */
type Window = { from?: Timestamp | undefined; until?: Timestamp | undefined };

/** Whether it can be done now. */
export function isOpen({ from, until }: Window, now: Date): boolean {
  const [first, last] = [moment(from), moment(until)];
  return (first === null || first <= now) && (last === null || now < last);
}

/** Whether a visit can be reported late now; of one that is over there is no window. */
export const isDelayable = (window: Window | undefined, now: Date): boolean =>
  window !== undefined && isOpen(window, now);

/** Why the service finds it too early or too late, by the salon's clock; `undefined` for any other failure. */
export function untimelyText(error: unknown, zone: string): string | undefined {
  if (!(error instanceof ApiError) || error.failure.kind !== 'refused') return undefined;
  const { reason, metadata } = error.failure;
  const at = (bound = '') => {
    const when = new Date(bound);
    if (Number.isNaN(when.getTime())) return '';
    const isToday = dayKey(when, zone) === dayKey(new Date(), zone);
    const day = isToday ? '' : `, ${inSentence(dayName(when, zone, new Date()))}`;
    return `${timeOfDay(when, zone)}${day}`;
  };
  if (reason === 'NOT_YET' && at(metadata.from))
    return `It is too early: possible from ${at(metadata.from)}.`;
  if (reason === 'NO_LONGER' && at(metadata.until))
    return `It is too late: possible until ${at(metadata.until)}.`;
  return undefined;
}

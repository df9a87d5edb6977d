import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call';
import { inputJson } from '../api/outgoing';
import { methodKey, type RpcKey } from '../api/query';
import {
  AvailabilityService,
  type ExplainAvailabilityResponse,
  Obstacle_Kind,
  VisitObstacle_Kind,
} from '../gen/frontdesk/scheduling/v1/availability_pb';
import { moment } from '../time/zoned';
import type { Item } from './draft';

const STEP_MS = 5 * 60_000;
/** The contract's limit for a customer who waits in the salon: one hour. */
const WITHIN_STEPS = 12;

/** The next possible start for a walk-in, and the employees who are free then. */
export type NextStart = { startsAt: Date; endsAt: Date; names: string[] };

/** What a walk-in could have: the next start, or why there is none within the hour. */
export type Soon = { next: NextStart | null; why: string };

/** Why nothing is free from a start on, as far as one reason holds for all employees. */
export function whyNothing(answer: ExplainAvailabilityResponse | undefined): string {
  if (answer?.obstacles.some(({ kind }) => kind === VisitObstacle_Kind.CLOSED))
    return 'The salon is closed now.';
  const undone = answer?.items.find(({ candidates }) => candidates.length === 0);
  if (undone) return `No employee does ${undone.serviceName}.`;
  const away = answer?.items.find(({ candidates }) =>
    candidates.every(({ obstacles }) =>
      obstacles.some(({ kind }) => kind === Obstacle_Kind.NOT_WORKING || kind === Obstacle_Kind.OFF),
    ),
  );
  return away ? `No one who does ${away.serviceName} is at work now.` : 'Nothing is free within the hour.';
}

/** The five-minute steps from now on that a walk-in may start at. */
export function stepsFrom(now: Date): Date[] {
  const first = Math.ceil(now.getTime() / STEP_MS) * STEP_MS;
  return Array.from({ length: WITHIN_STEPS }, (_, step) => new Date(first + step * STEP_MS));
}

/** The start as it would be booked; null if it can't be. The desk is asked for no notice, so an offer says it all. */
export function nextStartOf({ offer }: ExplainAvailabilityResponse): NextStart | null {
  const [startsAt, endsAt] = [moment(offer?.startsAt), moment(offer?.endsAt)];
  if (!offer || !startsAt || !endsAt) return null;
  return { startsAt, endsAt, names: [...new Set(offer.items.map(({ employeeName }) => employeeName))] };
}

/** Checks one step after the other, up to the first free one. */
export const nextStartQuery = (businessId: string, items: Item[]) =>
  queryOptions({
    queryKey: [
      methodKey(AvailabilityService.method.explainAvailability),
      inputJson(AvailabilityService.method.explainAvailability, { businessId, items }),
      'walk-in',
    ] as RpcKey,
    // The answer depends on the current time.
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Soon> => {
      let first: ExplainAvailabilityResponse | undefined;
      for (const startsAt of stepsFrom(new Date())) {
        const input = { businessId, items, startsAt: timestampFromDate(startsAt), language: 'en' };
        const answer = await call(AvailabilityService.method.explainAvailability, input, { signal });
        const next = nextStartOf(answer);
        if (next) return { next, why: '' };
        first ??= answer;
      }
      return { next: null, why: whyNothing(first) };
    },
  });

import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { minutesText } from '../time/zoned';
import { minutesBy } from './segments';

/** The contract's step, the least that is left of a service's last segment, and how much longer it may be. */
const STEP = 5;
const LEAST = 5;
const LONGEST = 720;

/** Fine steps for short extensions, coarse steps for long ones. */
const LONGER = [
  ...steps(STEP, 60, STEP),
  ...steps(75, 180, 15),
  ...steps(210, LONGEST, 30),
] as readonly number[];

function steps(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
}

/** The minutes by which the service may be planned shorter, the shortest first; its last segment is shortened. */
export function shorterBy(service: Service, employeeId: string): number[] {
  const most = (minutesBy(service, employeeId).at(-1) ?? 0) - LEAST;
  return most < STEP ? [] : steps(-Math.floor(most / STEP) * STEP, -STEP, STEP);
}

export const longerBy = (): readonly number[] => LONGER;

/** Whether it may be planned so much longer, or shorter, by this employee. */
export const isPossible = (service: Service, employeeId: string, extraMinutes: number): boolean =>
  extraMinutes >= 0 || shorterBy(service, employeeId).includes(extraMinutes);

/** "15 min longer"; nothing where it takes as long as it usually does. */
export function extraText(extraMinutes: number): string {
  if (extraMinutes === 0) return '';
  return `${minutesText(Math.abs(extraMinutes))} ${extraMinutes > 0 ? 'longer' : 'shorter'}`;
}

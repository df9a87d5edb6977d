import { SegmentKind, type Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { minutesText } from '../time/zoned';

export type Stretch = { kind: 'active' | 'processing' | 'buffer'; minutes: number };

/** A service from the first minute kept free to the last. */
export function stretchesOf(service: Service): Stretch[] {
  const buffer = (minutes: number): Stretch[] => (minutes > 0 ? [{ kind: 'buffer', minutes }] : []);
  return [
    ...buffer(service.bufferBeforeMinutes),
    ...service.segments.map(
      ({ kind, minutes }): Stretch => ({
        kind: kind === SegmentKind.PROCESSING ? 'processing' : 'active',
        minutes,
      }),
    ),
    ...buffer(service.bufferAfterMinutes),
  ];
}

/** Minutes of each segment as this employee does it. */
export function minutesBy(service: Service, employeeId: string): number[] {
  const own = service.overrides.find((override) => override.employeeId === employeeId)?.segmentMinutes;
  return own?.length === service.segments.length ? [...own] : service.segments.map(({ minutes }) => minutes);
}

/** How long the service takes an employee, or by default if the id is empty. */
export const usualMinutes = (service: Service, employeeId: string): number =>
  minutesBy(service, employeeId).reduce((sum, minutes) => sum + minutes, 0);

/** How long the customer is there: buffers are not part of the visit. */
export function visitMinutes(service: Service): number {
  return service.segments.reduce((sum, { minutes }) => sum + minutes, 0);
}

const WORDS = { active: 'with staff', processing: 'processing', buffer: 'kept free' } as const;

/** "30 min with staff, 35 min processing, 10 min kept free": the bar in words. */
export function stretchesText(stretches: Stretch[]): string {
  return stretches.map(({ kind, minutes }) => `${minutesText(minutes)} ${WORDS[kind]}`).join(', ');
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Timestamp, timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type ExplainAvailabilityRequest,
  Obstacle_Kind,
  type ObstacleSchema,
  type OfferSchema,
  type SearchAvailabilityRequest,
} from '../src/gen/frontdesk/scheduling/v1/availability_pb';
import {
  type CheckPatchTestsRequest,
  PatchTestWarning_Kind,
} from '../src/gen/frontdesk/scheduling/v1/patch_test_pb';
import type { Answer } from './answer';
import { appointments, employees, id, NOW, services } from './fixtures';
import { works } from './team-answers';

const ZONE = 'Europe/London';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const HOLD_MS = 5 * MINUTE_MS;

const instant = (value: unknown): number =>
  value ? timestampDate(value as Timestamp).getTime() : Number.NaN;
const lengthOf = (serviceId: string) =>
  (services.find((service) => service.id === serviceId)?.segments ?? []).reduce(
    (sum, { minutes: some }) => sum + (some ?? 0),
    0,
  );
const nameOf = (list: { id?: string; name?: string }[], wanted: string) =>
  list.find((one) => one.id === wanted)?.name ?? '';

/** Whether an employee has nothing between two instants, within the hours the salon is open. */
function isFree(employeeId: string, from: number, to: number): boolean {
  const [open, close] = [9, 18].map(
    (hour) => Date.parse(`${new Date(from).toISOString().slice(0, 10)}T00:00Z`) + hour * 3_600_000,
  );
  if (!works(employeeId) || from < (open ?? 0) || to > (close ?? 0)) return false;
  return appointments.every(
    ({ items, startsAt, endsAt }) =>
      items?.[0]?.employeeId !== employeeId || instant(startsAt) >= to || instant(endsAt) <= from,
  );
}

/** Times for a visit, a quarter of an hour apart: all of it by who does its first service. */
function offers({ items, from, to }: SearchAvailabilityRequest): MessageInitShape<typeof OfferSchema>[] {
  const [item] = items;
  if (!item) return [];
  const service = services.find((candidate) => candidate.id === item.serviceId);
  const length = items.reduce((sum, { serviceId }) => sum + lengthOf(serviceId), 0) * MINUTE_MS;
  const skilled = item.employeeId ? [item.employeeId] : (service?.employeeIds ?? []);
  const begin = Math.max(instant(from), NOW.getTime() - (NOW.getTime() % 900_000) + 900_000);
  const starts = Array.from(
    { length: Math.max(0, Math.ceil((instant(to) - begin) / 900_000)) },
    (_, step) => begin + step * 900_000,
  );
  return starts.flatMap((start) => {
    const employeeId = skilled.find((candidate) => isFree(candidate, start, start + length));
    if (!employeeId) return [];
    const [startsAt, endsAt] = [start, start + length].map((at) => timestampFromDate(new Date(at)));
    return [
      {
        ...(startsAt && { startsAt }),
        ...(endsAt && { endsAt }),
        items: items.map(({ serviceId, guest, extraMinutes }) => ({
          serviceId,
          serviceName: nameOf(services, serviceId),
          guest,
          extraMinutes,
          employeeId,
          employeeName: nameOf(employees, employeeId),
          ...(startsAt && { startsAt }),
          ...(endsAt && { endsAt }),
        })),
        priceMinor: items.reduce(
          (sum, { serviceId }) => sum + (services.find(({ id }) => id === serviceId)?.priceMinor ?? 0),
          0,
        ),
        currency: 'GBP',
        lostMinutes: (start / 900_000) % 3 === 0 ? 15 : 0,
      },
    ];
  });
}

const offersFrom = (request: object, from: number, to: number) =>
  offers({
    ...request,
    from: timestampFromDate(new Date(from)),
    to: timestampFromDate(new Date(to)),
  } as SearchAvailabilityRequest);

/** The obstacles to a visit with an employee. */
function obstacles(employeeId: string, from: number, to: number): MessageInitShape<typeof ObstacleSchema>[] {
  if (isFree(employeeId, from, to)) return [];
  if (!works(employeeId)) return [{ kind: Obstacle_Kind.NOT_WORKING }];
  return appointments
    .filter(
      ({ items, startsAt, endsAt }) =>
        items?.[0]?.employeeId === employeeId && instant(startsAt) < to && instant(endsAt) > from,
    )
    .map(({ id: recordId = '', startsAt, endsAt }) => ({
      kind: Obstacle_Kind.BOOKED,
      recordId,
      ...(startsAt && { from: startsAt as Timestamp }),
      ...(endsAt && { until: endsAt as Timestamp }),
    }));
}

/** What a salon has free, and why not. */
export const AVAILABILITY_ANSWERS: Record<string, Answer> = {
  SearchAvailability: (request) => ({
    offers: offers(request as unknown as SearchAvailabilityRequest),
    timeZone: ZONE,
  }),
  ExplainAvailability: (request) => {
    const { items, startsAt } = request as unknown as ExplainAvailabilityRequest;
    const begin = instant(startsAt);
    const [offer] = offersFrom(request, begin, begin + 1);
    const [nextOffer] = offer ? [] : offersFrom(request, begin, begin + DAY_MS);
    return {
      ...(offer && { offer }),
      ...(nextOffer && { nextOffer }),
      ...(offer ? {} : { sentence: 'Maya Okafor is booked at that time.' }),
      items: items.map(({ serviceId, employeeId, guest }) => {
        const end = begin + lengthOf(serviceId) * MINUTE_MS;
        return {
          serviceId,
          serviceName: nameOf(services, serviceId),
          startsAt,
          endsAt: timestampFromDate(new Date(end)),
          guest,
          candidates: employees
            .filter(({ id: candidate }, index) => (employeeId ? candidate === employeeId : index % 3 === 0))
            .map(({ id: candidate = '', name }) => ({
              employeeId: candidate,
              employeeName: name ?? '',
              obstacles: obstacles(candidate, begin, end),
            })),
        };
      }),
      timeZone: ZONE,
    };
  },
  CreateHold: (request) => {
    const { items, startsAt } = request as unknown as ExplainAvailabilityRequest;
    const from = startsAt ? instant(startsAt) : NOW.getTime();
    const [offer] = offersFrom({ items }, from, from + 1);
    return {
      hold: {
        id: id(37, 1),
        expiresAt: timestampFromDate(new Date(NOW.getTime() + HOLD_MS)),
        ...(offer && { offer }),
      },
    };
  },
  ReleaseHold: () => ({}),
  CheckPatchTests: (request) => {
    const { serviceIds } = request as unknown as CheckPatchTestsRequest;
    const service = services.find(({ id: serviceId = '' }) => serviceIds.includes(serviceId));
    return {
      warnings: [
        {
          kind: PatchTestWarning_Kind.EXPIRED,
          serviceId: service?.id ?? '',
          serviceName: service?.name ?? '',
          subject: 'Tint',
          sentence: 'The patch test for Tint was good until 1 November 2026.',
        },
      ],
    };
  },
};

import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { PartOfDay } from '../src/gen/frontdesk/scheduling/v1/availability_pb';
import type { ServiceReportSchema } from '../src/gen/frontdesk/scheduling/v1/intelligence_pb';
import { MatchManner, MatchVerdict } from '../src/gen/frontdesk/scheduling/v1/matching_pb';
import type { Answer } from './answer';
import { employees, id, NOW, services } from './fixtures';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => timestampFromDate(new Date(NOW.getTime() - days * DAY_MS));

/** The figures of each service of the fixtures; slightly lower in the dates before. */
function report(index: number, booked: number): MessageInitShape<typeof ServiceReportSchema> {
  const service = services[index];
  const [cancelled, noShows] = [0.09, 0.03 + index * 0.01].map((part) => Math.round(booked * part)) as [
    number,
    number,
  ];
  const kept = booked - cancelled;
  const minutes = (service?.segments ?? []).reduce((sum, segment) => sum + (segment.minutes ?? 0), 0);
  const hands = (service?.employeeIds ?? []).slice(0, 5);
  return {
    serviceId: service?.id ?? '',
    serviceName: service?.name ?? '',
    booked: BigInt(booked),
    completed: BigInt(kept - noShows),
    cancelled: BigInt(cancelled),
    noShows: BigInt(noShows),
    value: [{ minor: BigInt(kept * (service?.priceMinor ?? 0)), currency: 'GBP' }],
    plannedMinutes: BigInt(kept * minutes),
    ...(index < 4 ? { rebookingDays: 28 + index * 7, rebookings: BigInt(Math.round(booked / 3)) } : {}),
    employees: hands.map((employeeId, place) => ({
      employeeId,
      employeeName: employees.find((person) => person.id === employeeId)?.name ?? '',
      visits: BigInt(Math.round(kept / (place + 1))),
      share: 1 / (place + 1) / hands.reduce((sum, _, at) => sum + 1 / (at + 1), 0),
    })),
    ...(index === 5
      ? {}
      : {
          measured: {
            visits: BigInt(Math.round(kept / 2)),
            plannedMinutes: BigInt(Math.round(kept / 2) * minutes),
            actualMinutes: BigInt(Math.round(kept / 2) * (minutes + (index % 3) * 6 - 4)),
          },
        }),
  };
}

const phrases = [
  ['balayage', 14, 1],
  ['the thing where only the ends are lighter and the roots stay as they are', 6, 3],
  ['brazilian blow out', 3, 9],
].map(([phrase, count, days], index) => ({
  id: id(40, index + 1),
  phrase: String(phrase),
  count: BigInt(count ?? 0),
  firstAt: daysAgo(40),
  lastAt: daysAgo(Number(days)),
  lastCallId: index === 0 ? id(5, 2) : '',
}));

/** Figures of services, and unmet demand. */
export const INTELLIGENCE_ANSWERS: Record<string, Answer> = {
  GetServiceIntelligence: ({ lastDate }) => {
    const earlier = String(lastDate) < NOW.toISOString().slice(0, 10) ? 0.88 : 1;
    return {
      services: services.map((_, index) =>
        report(index, Math.round(([64, 21, 38, 143, 9, 47][index] ?? 0) * earlier)),
      ),
      unmetDemand: [
        { serviceIds: [id(2, 2)], partOfDay: PartOfDay.EVENING, searches: 18n },
        { serviceIds: [id(2, 4), id(2, 6)], partOfDay: PartOfDay.UNSPECIFIED, searches: 7n },
        { serviceIds: [id(2, 1)], partOfDay: PartOfDay.MORNING, searches: 2n },
      ],
      timeZone: 'Europe/London',
    };
  },
  ListUnmatchedPhrases: ({ dismissed }) => ({ phrases: dismissed ? [] : phrases }),
  MatchServices: () => ({
    verdict: MatchVerdict.UNCLEAR,
    candidates: [services[1], services[2]].map((service, index) => ({
      service,
      score: 0.62 - index * 0.17,
      manner: MatchManner.WORDS,
      matched: service?.aliases?.[0] ?? '',
    })),
  }),
};

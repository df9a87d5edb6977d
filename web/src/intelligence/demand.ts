import { PartOfDay } from '../gen/frontdesk/scheduling/v1/availability_pb';
import type { UnmetDemand } from '../gen/frontdesk/scheduling/v1/intelligence_pb';

/** Services that were searched for together and had no offer. */
export type Demand = { key: string; name: string; serviceIds: string[]; when: string; searches: number };

const WHEN: Record<PartOfDay, string> = {
  [PartOfDay.UNSPECIFIED]: 'at any time',
  [PartOfDay.MORNING]: 'in the morning',
  [PartOfDay.AFTERNOON]: 'in the afternoon',
  [PartOfDay.EVENING]: 'in the evening',
};

/** Unmet demand in words, the most frequent first. */
export function demandOf(unmet: UnmetDemand[], nameOf: (serviceId: string) => string): Demand[] {
  return unmet
    .map(({ serviceIds, partOfDay, searches }) => ({
      key: `${partOfDay} ${serviceIds.join(' ')}`,
      name: serviceIds.map(nameOf).join(' + '),
      serviceIds,
      when: WHEN[partOfDay] ?? WHEN[PartOfDay.UNSPECIFIED],
      searches: Number(searches),
    }))
    .sort((one, other) => other.searches - one.searches);
}

export const searchesOf = (demand: Demand[]) => demand.reduce((sum, { searches }) => sum + searches, 0);

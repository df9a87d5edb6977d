import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { PartOfDay } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { UnmetDemandSchema } from '../gen/frontdesk/scheduling/v1/intelligence_pb';
import { demandOf, searchesOf } from './demand';

it('lists what was requested together and when, the most frequent first', () => {
  const demand = demandOf(
    [
      create(UnmetDemandSchema, { serviceIds: ['a'], partOfDay: PartOfDay.EVENING, searches: 2n }),
      create(UnmetDemandSchema, { serviceIds: ['a', 'b'], searches: 5n }),
      create(UnmetDemandSchema, { serviceIds: ['a'], partOfDay: 99 as PartOfDay, searches: 1n }),
    ],
    (id) => id.toUpperCase(),
  );
  expect(demand.map(({ name, when, searches }) => `${searches} ${name} ${when}`)).toEqual([
    '5 A + B at any time',
    '2 A in the evening',
    '1 A at any time',
  ]);
  expect(new Set(demand.map(({ key }) => key)).size).toBe(3);
  expect(searchesOf(demand)).toBe(8);
});

import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import {
  ProviderRecordSchema,
  ProviderRunCountsSchema,
  ProviderRunSchema,
} from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { countsText, suggestedOf } from './wording';

it('a run says whose appointments it counted, and what changed', () => {
  const counts = create(ProviderRunCountsSchema, { employees: 5, services: 9, appointments: 2, added: 14 });
  const read = '5 employees, 9 services, 2 appointments of mapped employees.';
  expect(countsText(create(ProviderRunSchema, { counts }))).toBe(`${read} 14 new.`);
  expect(countsText(create(ProviderRunSchema, { counts, dryRun: true }))).toBe(`${read} Would be 14 new.`);
  const one = create(ProviderRunCountsSchema, { employees: 1, services: 1, appointments: 1200 });
  expect(countsText(create(ProviderRunSchema, { counts: one }))).toBe(
    '1 employee, 1 service, 1,200 appointments of mapped employees. Nothing changed.',
  );
});

it('only records without a mapping are mapped as suggested, and two never to the same', () => {
  const record = (externalId: string, suggestedId: string, mappedId = '') =>
    create(ProviderRecordSchema, { externalId, suggestedId, mappedId });
  const records = [
    record('mapped', '', 'mia'),
    record('taken', 'mia'),
    record('first', 'noah'),
    record('second', 'noah'),
    record('unlike', ''),
  ];
  expect(suggestedOf(records).map(({ externalId }) => externalId)).toEqual(['first']);
});

import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { ErasureSchema } from '../gen/frontdesk/tenancy/v1/erasure_pb';
import { waitsText } from './erasure-text';

const confirmedAt = timestampFromDate(new Date(0));

it('says which part an erasure waits for, and for what', () => {
  const holders = [
    { service: 'tenancy', confirmedAt },
    { service: 'calendar-sync', waitingFor: '3 entries' },
  ];
  expect(waitsText(create(ErasureSchema, { holders }))).toBe('“Employees’ calendars” waits for 3 entries.');
  expect(waitsText(create(ErasureSchema, { holders: [{ service: 'telemetry' }] }))).toBe(
    '“Calls” is being erased.',
  );
});

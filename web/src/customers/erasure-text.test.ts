import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { ErasureSchema } from '../gen/frontdesk/tenancy/v1/erasure_pb';
import { cancelledText, erasedText, waitsText } from './erasure-text';

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

it('claims no number of visits to come before it is known', () => {
  expect(cancelledText(undefined)).toBe('Visits to come will be cancelled, and their times are free again.');
  expect(cancelledText(0)).toBe('There is no visit to come.');
  expect(cancelledText(2)).toBe('2 visits to come will be cancelled, and their times are free again.');
});

it('says that nothing is known of a person once every part has confirmed, and not before', () => {
  const nothing = /Nothing is known/;
  expect(erasedText('2 June', true)).toMatch(nothing);
  expect(erasedText('2 June', false)).toMatch(/is being erased/);
  for (const hasEnded of [false, undefined]) expect(erasedText('2 June', hasEnded)).not.toMatch(nothing);
});

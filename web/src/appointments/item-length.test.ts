import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { PlacedItemSchema } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { lengthText } from './item-length';

const item = (minutes: number, extraMinutes: number) =>
  create(PlacedItemSchema, {
    startsAt: timestampFromDate(new Date('2026-11-24T10:00:00Z')),
    endsAt: timestampFromDate(new Date(Date.parse('2026-11-24T10:00:00Z') + minutes * 60_000)),
    extraMinutes,
  });

it('says how long a service of a visit takes, and where that is not what it usually takes', () => {
  expect(lengthText(item(45, 0))).toBe('45 min');
  expect(lengthText(item(90, 15))).toBe('1 h 30 min (15 min longer than usual)');
  expect(lengthText(item(30, -10))).toBe('30 min (10 min shorter than usual)');
  expect(lengthText(create(PlacedItemSchema))).toBe('');
});

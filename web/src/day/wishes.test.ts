import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { AppointmentSchema } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { EmployeeWish, PlacedItemSchema } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { brokenBy, isLocked, wishText } from './wishes';

const item = (employeeId: string, employeeWish: EmployeeWish, wishedEmployeeId = 'sofia') =>
  create(PlacedItemSchema, {
    employeeId,
    employeeWish,
    ...(employeeWish === EmployeeWish.UNSPECIFIED
      ? {}
      : { wishedEmployeeId, wishedEmployeeName: 'Sofia Marino' }),
  });
const { ONLY, PREFERS, UNSPECIFIED } = EmployeeWish;

it('is locked with the only employee whom the customer wants', () => {
  const items = [item('sofia', ONLY), item('mia', ONLY), item('sofia', PREFERS), item('sofia', UNSPECIFIED)];
  expect(items.map(isLocked)).toEqual([true, false, false, false]);
  expect(items.map(wishText)).toEqual([
    'only Sofia Marino',
    'asked for only Sofia Marino',
    'prefers Sofia Marino',
    '',
  ]);
});

it('is broken by another employee, and by nothing else', () => {
  const visit = create(AppointmentSchema, { items: [item('sofia', ONLY), item('mia', ONLY)] });
  const broken = (...employeeIds: string[]) => brokenBy(visit, employeeIds).length;
  expect([broken('sofia', 'noah'), broken('', ''), broken(), broken('noah', 'mia')]).toEqual([0, 0, 0, 1]);
});

import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { BlockSchema } from '../../gen/frontdesk/scheduling/v1/block_pb';
import { blockableBy, removableBy } from './own-time';

const staff = [
  { id: 'mia', userId: 'u1' },
  { id: 'noah', userId: '' },
];
const block = (employeeId: string, by: string) =>
  create(BlockSchema, { employeeId, blockedBy: `user:${by}` });

test('a manager blocks everyone’s time, an employee their own, a guest nothing', () => {
  expect([...blockableBy('u9', 'MANAGER', staff)]).toEqual(['mia', 'noah']);
  expect([...blockableBy('u1', 'EMPLOYEE', staff)]).toEqual(['mia']);
  expect([...blockableBy('u9', 'EMPLOYEE', staff)]).toEqual([]);
  expect([...blockableBy('', 'EMPLOYEE', staff)]).toEqual([]);
  expect([...blockableBy('u1', 'GUEST', staff)]).toEqual([]);
});

test('an employee removes what they blocked of their own time, a manager any block', () => {
  expect(removableBy('u1', 'EMPLOYEE', staff, block('mia', 'u1'))).toBe(true);
  expect(removableBy('u1', 'EMPLOYEE', staff, block('mia', 'u9'))).toBe(false);
  expect(removableBy('u1', 'EMPLOYEE', staff, block('noah', 'u1'))).toBe(false);
  expect(removableBy('u9', 'MANAGER', staff, block('noah', 'u1'))).toBe(true);
});

import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { CalendarFeedSchema } from '../gen/frontdesk/calendarsync/v1/feed_pb';
import { feedRows } from './feed-rows';

const mia = { id: 'mia', name: 'Mia Larsen', userId: 'u1' };
const noah = { id: 'noah', name: 'Noah Adeyemi', userId: '' };
const tom = { id: 'tom', name: 'Tom Reed', userId: 'u3' };
const feeds = ['mia', 'tom'].map((employeeId) => create(CalendarFeedSchema, { employeeId }));

const rows = (mayManage: (employee: { userId: string }) => boolean) =>
  feedRows(feeds, [mia, noah], [tom], mayManage).map(({ employee, former, makes, revokes }) => [
    employee.name,
    { former, makes, revokes },
  ]);

it('lets an owner make and revoke every address, and only revoke that of a former employee', () => {
  expect(rows(() => true)).toEqual([
    ['Mia Larsen', { former: false, makes: true, revokes: true }],
    ['Noah Adeyemi', { former: false, makes: true, revokes: false }],
    ['Tom Reed', { former: true, makes: false, revokes: true }],
  ]);
});

it('lets an employee manage their own address alone', () => {
  expect(rows(({ userId }) => userId === 'u1')).toEqual([
    ['Mia Larsen', { former: false, makes: true, revokes: true }],
    ['Noah Adeyemi', { former: false, makes: false, revokes: false }],
    ['Tom Reed', { former: true, makes: false, revokes: false }],
  ]);
});

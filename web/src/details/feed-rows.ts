import type { Person } from '../day/columns';
import type { CalendarFeed } from '../gen/frontdesk/calendarsync/v1/feed_pb';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';

type Member = Pick<Employee, 'id' | 'name' | 'userId'>;

export type FeedRow = {
  employee: Person;
  feed: CalendarFeed | undefined;
  former: boolean;
  /** The reader may make the address, and replace it. */
  makes: boolean;
  revokes: boolean;
};

/** A row per employee, and one per address that a former employee left behind: that one can only be revoked. */
export function feedRows(
  feeds: readonly CalendarFeed[],
  here: readonly Member[],
  former: readonly Member[],
  mayManage: (employee: Pick<Member, 'userId'>) => boolean,
): FeedRow[] {
  const of = new Map(feeds.map((feed) => [feed.employeeId, feed]));
  const current = here.map((employee): FeedRow => {
    const [feed, may] = [of.get(employee.id), mayManage(employee)];
    return { employee, feed, former: false, makes: may, revokes: may && feed !== undefined };
  });
  const left = feeds.filter(({ employeeId }) => !here.some(({ id }) => id === employeeId));
  const leftBehind = left.map((feed): FeedRow => {
    const known = former.find(({ id }) => id === feed.employeeId);
    const employee = known ?? { id: feed.employeeId, name: 'Former employee', userId: '' };
    return { employee, feed, former: true, makes: false, revokes: mayManage(employee) };
  });
  return [...current, ...leftBehind];
}

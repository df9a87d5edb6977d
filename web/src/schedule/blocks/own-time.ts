import { may } from '../../api/access';
import { BlockAccess, TimeOffAccess } from '../../gen/access';
import type { Block } from '../../gen/frontdesk/scheduling/v1/block_pb';

type Staff = readonly { id: string; userId: string }[];

/** A role that approves time off may block any employee's time; the others only their own. */
const seesToAll = (role: string) => may(TimeOffAccess.approveTimeOff, role);

/** Whose time a person may block. */
export function blockableBy(me: string, role: string, employees: Staff): ReadonlySet<string> {
  if (!may(BlockAccess.blockTime, role)) return new Set();
  const own = employees.filter(({ userId }) => seesToAll(role) || (me !== '' && userId === me));
  return new Set(own.map(({ id }) => id));
}

/** Whether a person may remove a block: of their own time, and made by themselves, unless they see to all. */
export function removableBy(me: string, role: string, employees: Staff, block: Block): boolean {
  if (!may(BlockAccess.unblockTime, role)) return false;
  const made = me !== '' && block.blockedBy === `user:${me}`;
  return seesToAll(role) || (made && blockableBy(me, role, employees).has(block.employeeId));
}

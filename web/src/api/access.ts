import { type DescMethod, getOption } from '@bufbuild/protobuf';
import { Audience, rule } from '../gen/frontdesk/access/v1/access_pb';
import { ROLES, type Role, rankOf } from '../session/roles';

/** Whether a person of this role may call a method, read from the rule the door enforces. */
export function may(method: DescMethod, role: string | undefined): boolean {
  const access = getOption(method, rule);
  if (access.audience.includes(Audience.PUBLIC)) return true;
  if (role === undefined || !access.audience.includes(Audience.USER)) return false;
  return rankOf(role) >= access.leastRole;
}

/** The lowest role that may call a method. */
export function leastRole(method: DescMethod): Role | undefined {
  return ROLES.find((role) => rankOf(role) === getOption(method, rule).leastRole);
}

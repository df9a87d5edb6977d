import {
  isAdmin,
  isEmployeeOrAbove,
  isManagerOrAbove,
  isOwnerOrAbove,
  passes,
  type Role,
} from '../session/roles';

/** The least role that a method requires: a row of `gen/access`, generated from the rule that the server enforces. */
export type LeastRole = Role | 'PUBLIC';

const CHECKS: Readonly<Record<LeastRole, (role: string) => boolean>> = {
  ADMIN: isAdmin,
  OWNER: isOwnerOrAbove,
  MANAGER: isManagerOrAbove,
  EMPLOYEE: isEmployeeOrAbove,
  GUEST: (role) => passes(role, 'GUEST'),
  PUBLIC: () => true,
};

/** Whether a person of this role may call a method. */
export function may(least: LeastRole, role: string | undefined): boolean {
  return CHECKS[least](role ?? '');
}

import {
  isAdmin,
  isEmployeeOrAbove,
  isManagerOrAbove,
  isOwnerOrAbove,
  passes,
  type Role,
} from '../session/roles';

/** The least role a method asks for: a row of `gen/access`, which is made of the rule the door enforces. */
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

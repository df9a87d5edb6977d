/** Roles, highest first. The contract's numbers rank the same way. */
export const ROLES = ['ADMIN', 'OWNER', 'MANAGER', 'EMPLOYEE', 'GUEST'] as const;
export type Role = (typeof ROLES)[number];

/** 5 for ADMIN down to 1 for GUEST; 0, below every role, for an unknown one. */
export function rankOf(role: string): number {
  const index = ROLES.indexOf(normaliseRole(role) as Role);
  return index < 0 ? 0 : ROLES.length - index;
}

/** Roles are compared without case, and an older USER is an EMPLOYEE. */
export function normaliseRole(role: string): string {
  const upper = role.trim().toUpperCase();
  return upper === 'USER' ? 'EMPLOYEE' : upper;
}

/** Whether the role is at least the required one. */
export function passes(role: string, required: string): boolean {
  return rankOf(role) >= rankOf(required);
}

/** Of the roles a route lists, the first is the one it requires. */
export function requiredRole(roles: readonly Role[] | undefined): Role | undefined {
  return roles?.[0];
}

export const isAdmin = (role: string) => passes(role, 'ADMIN');
export const isOwnerOrAbove = (role: string) => passes(role, 'OWNER');
export const isManagerOrAbove = (role: string) => passes(role, 'MANAGER');
export const isEmployeeOrAbove = (role: string) => passes(role, 'EMPLOYEE');

/** How a role is written on the screen. */
export function roleName(role: string): string {
  const name = normaliseRole(role).toLowerCase();
  return name.charAt(0).toUpperCase() + name.slice(1);
}

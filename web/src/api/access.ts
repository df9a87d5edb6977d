import { passes, type Role } from '../session/roles';

/** The least role a method asks for: a row of `gen/access`, which is made of the rule the door enforces. */
export type LeastRole = Role | 'PUBLIC';

/** Whether a person of this role may call a method. */
export function may(least: LeastRole, role: string | undefined): boolean {
  return least === 'PUBLIC' || passes(role ?? '', least);
}

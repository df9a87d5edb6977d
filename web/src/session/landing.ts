import { isOwnPath, paths } from '../paths';
import { isAdmin } from './roles';
import type { User } from './user';

/** Where a signed-in person goes: where they wanted to, else where they work. */
export function landingOf(user: User, wanted?: unknown): string {
  if (isOwnPath(wanted) && wanted !== paths.login) return wanted;
  if (isAdmin(user.role)) return paths.admin;
  const [only, ...others] = user.businessIds;
  return only && others.length === 0 ? paths.business(only) : paths.myBusinesses;
}

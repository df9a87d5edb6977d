import { isOwnPath, paths } from '../paths';
import { isAdmin } from './roles';
import type { User } from './user';

/** The pages of signing in, which are no destination. */
const PASSAGES: readonly string[] = [paths.login, paths.authCallback];

/** The path that the user wanted, if it leads to a page of ours; else the other. */
export function wantedOr(wanted: unknown, other: string): string {
  return isOwnPath(wanted) && !PASSAGES.includes(wanted) ? wanted : other;
}

/** The first page after signing in: the wanted one, else the user's business. */
export function landingOf(user: User, wanted?: unknown): string {
  return wantedOr(wanted, workplaceOf(user));
}

function workplaceOf(user: User): string {
  if (isAdmin(user.role)) return paths.admin;
  const [only, ...others] = user.businessIds;
  return only && others.length === 0 ? paths.business(only) : paths.myBusinesses;
}

import { paths } from '../paths';
import { landingOf } from '../session/landing';
import { useSession } from '../session/use-session';

/** The first page: of a signed-in user their own, without the way through the calendar setup. */
export function useStart(): string {
  const { user, cachedUser } = useSession();
  const person = user ?? cachedUser;
  return person ? landingOf(person) : paths.root;
}

import { useQuery } from '@tanstack/react-query';
import { type AccountNames, peopleOf } from './actor-text';
import { accountNamesQuery } from './queries';

/** What the people among those who acted are called. */
export function useAccountNames(actors: readonly string[]): AccountNames {
  const people = useQuery(accountNamesQuery(peopleOf(actors))).data?.accounts ?? [];
  return new Map(people.map(({ userId, name }) => [userId, name]));
}

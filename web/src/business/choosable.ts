import type { Person } from '../day/columns';

/** The employees who can be chosen: those who are here, and of the former ones those who are chosen already. */
export function choosable(
  here: readonly Person[],
  former: readonly Person[],
  chosen: readonly string[],
): Person[] {
  const left = former.filter(({ id }) => chosen.includes(id));
  return [...here, ...left.map(({ id, name }) => ({ id, name: `${name} (no longer here)` }))];
}

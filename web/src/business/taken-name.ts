const plain = (name: string) => name.trim().replace(/\s+/g, ' ').toLocaleLowerCase();

/** Why a new employee can't be called so; undefined where they can: callers ask for stylists by their names. */
export function takenName(
  name: string,
  employees: readonly { name: string }[] | undefined,
): string | undefined {
  const other = employees?.find((employee) => plain(employee.name) === plain(name));
  return other && `${other.name} is in the team already. Add a surname or an initial to tell them apart.`;
}

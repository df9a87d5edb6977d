import { asItLooks } from '../finding/look-alikes';
import { plain } from '../finding/words';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';

type Named = Pick<Employee, 'id' | 'name'>;

const folded = (name: string) =>
  plain(asItLooks(name))
    .trim()
    .replaceAll(/[\s-]+/g, ' ');

/** Whether names only look the same: at least one is written in another alphabet. */
export function onlyLookAlike(group: readonly Named[]): boolean {
  const written = ({ name }: Named) =>
    plain(name)
      .replaceAll(/[\s-]+/g, ' ')
      .replace(/ \d+$/, '')
      .trim();
  return new Set(group.map(written)).size > 1;
}

/**
 * Employees whom people can’t tell apart: of one name, of one that looks the same in another alphabet, or of one name with a number, as people get it who join under
 * the name of a colleague. The one whose name it is comes first.
 */
export function namesakes<T extends Named>(employees: readonly T[]): T[][] {
  const byName = new Map<string, T[]>();
  for (const employee of employees) {
    const name = folded(employee.name).replace(/ \d+$/, '');
    byName.set(name, [...(byName.get(name) ?? []), employee]);
  }
  return [...byName]
    .filter(([name, all]) => all.length > 1 && all.some((one) => folded(one.name) === name))
    .map(([, all]) => all.toSorted((one, other) => one.name.length - other.name.length));
}

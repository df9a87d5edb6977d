import { type Column, isAbsent } from '../../day/columns';

/** Those with something to print, and the names of those who don't work and have no visits. */
export function printedColumns(columns: readonly Column[]): { printed: Column[]; absent: string[] } {
  const printed = columns.filter((column) => !isAbsent(column));
  const there = new Set(printed.map(({ employeeId }) => employeeId));
  const away = columns.filter(({ employeeId }) => !there.has(employeeId));
  return { printed, absent: [...new Set(away.map(({ employeeName }) => employeeName))] };
}

/** The customers of the visits, each once. */
export const customersIn = (columns: readonly Column[]): string[] =>
  [...new Set(columns.flatMap(({ cards }) => cards.map(({ appointment }) => appointment.customerId)))]
    .filter(Boolean)
    .sort();

import { useMemo, useState } from 'react';
import { type Column, isAbsent } from '../day/columns';
import { normaliseRole } from '../session/roles';
import { useCompact, useWide } from '../ui/use-width';
import type { Whose } from './use-day-address';

type Drawn = {
  columns: readonly Column[];
  /** Whose week it is; empty for a day of all employees. */
  employeeId: string;
  role: string;
  /** What the address asks for. */
  whose: Whose | undefined;
  /** Whether the viewer takes bookings. */
  hasOwn: boolean;
  /** Whether a panel takes room beside the columns. */
  beside: boolean;
};

/** The columns that a screen has room for: a phone begins with an employee's own, a tablet leaves out absent ones, as a panel beside them does, until they are asked for. */
export function useDrawnColumns({ columns, employeeId, role, whose, hasOwn, beside }: Drawn) {
  const [wide, compact] = [useWide(), useCompact()];
  const [absentShown, setAbsentShown] = useState(false);
  const asked = whose ? whose === 'mine' : normaliseRole(role) === 'EMPLOYEE';
  const mine = !wide && !employeeId && hasOwn && asked;
  const absent = useMemo(() => {
    const some = employeeId ? [] : columns.filter(isAbsent);
    // A day on which no one works is shown as it is.
    return some.length < columns.length ? some : [];
  }, [columns, employeeId]);
  const isNarrow = compact || (wide && beside);
  const drawn = useMemo(() => {
    if (mine) return columns.filter(({ own }) => own);
    return columns.filter((column) => !isNarrow || absentShown || !absent.includes(column));
  }, [mine, isNarrow, absentShown, absent, columns]);
  const names = isNarrow ? absent.map(({ employeeName }) => employeeName) : [];
  return { drawn, absent: names, absentShown, setAbsentShown, compact, mine: hasOwn ? mine : undefined };
}

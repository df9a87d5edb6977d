import { useMemo } from 'react';
import { may } from '../../api/access';
import type { Column } from '../../day/columns';
import { AppointmentAccess, ProposalAccess, WaitlistAccess } from '../../gen/access';
import type { PanelCounts, PanelKind } from './panels';
import { toBeMoved } from './to-be-moved';
import { useDayCounts } from './use-day-counts';

type DayPanels = {
  businessId: string;
  zone: string;
  role: string;
  day: string;
  /** Whose week it is; panels are about one day of all employees. */
  employeeId: string;
  open: PanelKind | undefined;
  columns: readonly Column[];
  now: Date;
};

/** The panels of a day that the role may see, and how many entries each has. */
export function useDayPanels({ businessId, zone, role, day, employeeId, open, columns, now }: DayPanels) {
  const stranded = useMemo(() => (employeeId ? [] : toBeMoved(columns, now)), [employeeId, columns, now]);
  const panels: PanelKind[] = [];
  if (!employeeId) {
    // Few days have any: the panel comes with the first, and stays while it is open.
    if (stranded.length > 0 || open === 'stranded') panels.push('stranded');
    if (may(WaitlistAccess.listWaitlist, role)) panels.push('waitlist');
    if (may(AppointmentAccess.listConflicts, role)) panels.push('conflicts');
    if (may(ProposalAccess.listProposals, role)) panels.push('optimise');
  }
  const counts: PanelCounts = {
    ...useDayCounts(businessId, day, zone, panels),
    stranded: stranded.length,
  };
  return { panels, counts, stranded };
}

import { type ReactNode, useRef } from 'react';
import { may } from '../../api/access';
import { queries } from '../../api/query-client';
import { businessQuery } from '../../business/queries';
import { pinnedNotesQuery } from '../../customers/queries';
import type { Column } from '../../day/columns';
import { CustomerNoteAccess } from '../../gen/access';
import { useBeingPrinted } from '../../ui/print-sheet';
import { DaySheet } from './day-sheet';
import { customersIn } from './printed-columns';

type Printed = { businessId: string; zone: string; role: string; columns: readonly Column[] };

/** Prints the day with what has to be known of its customers; and has the browser's own command print the same. */
export function usePrintDay({ businessId, zone, role, columns }: Printed): {
  print: () => void;
  sheet: ReactNode;
} {
  const printed = useBeingPrinted();
  const mayReadNotes = may(CustomerNoteAccess.getPinnedNotes, role);
  const running = useRef(false);
  const print = async () => {
    if (running.current) return;
    running.current = true;
    const customerIds = customersIn(columns);
    // What can't be read is missing on paper, which says so.
    await Promise.allSettled([
      queries.ensureQueryData(businessQuery(businessId)),
      mayReadNotes && customerIds.length > 0 && queries.fetchQuery(pinnedNotesQuery(businessId, customerIds)),
    ]);
    running.current = false;
    window.print();
  };
  return {
    print: () => void print(),
    sheet: printed && <DaySheet {...{ businessId, zone, columns, mayReadNotes }} />,
  };
}

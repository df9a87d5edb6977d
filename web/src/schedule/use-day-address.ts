import { useLayoutEffect, useMemo, useRef } from 'react';
import { useSearch } from '../finding/use-search';
import { dayAfter } from '../time/local';
import { isDay, weekAround } from '../time/local-day';
import { PANELS, type PanelKind } from './panels/panels';

type Shown = {
  visit: string;
  date: string;
  employee: string;
  service: string;
  panel: string;
  whose: Whose | '';
};

/** Of one day, where it is a list: the viewer's own visits, or all. */
export type Whose = 'mine' | 'everyone';
const WHOSE: readonly Whose[] = ['mine', 'everyone'];

/** What of the schedule is shown, as the address has it. */
export function useDayAddress(today: string) {
  const [search, changeSearch] = useSearch();
  const asked = search.get('date');
  const day = isDay(asked) ? asked : today;
  const employeeId = search.get('employee') ?? '';
  const serviceId = search.get('service') ?? '';
  const visitId = search.get('visit') ?? '';
  const whose = WHOSE.find((kind) => kind === search.get('whose'));
  const panel = PANELS.find((kind) => kind === search.get('panel'));
  const days = useMemo(() => (employeeId ? weekAround(day) : [day]), [day, employeeId]);

  const show = (changes: Partial<Shown>, replace = false) =>
    changeSearch(
      (search) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value) search.set(name, value);
          else search.delete(name);
        }
        return search;
      },
      { replace },
    );
  // Keys come faster than pages: the next step goes on from the day that is on its way.
  const coming = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (coming.current === day) coming.current = undefined;
  });
  const goTo = (date: string) => {
    coming.current = date;
    show({ date: date === today ? '' : date });
  };
  const step = (direction: 1 | -1) => goTo(dayAfter(coming.current ?? day, direction * days.length));
  const togglePanel = (kind: PanelKind | undefined) =>
    show({ panel: kind === undefined || kind === panel ? '' : kind }, true);
  return { day, days, employeeId, serviceId, visitId, whose, panel, show, goTo, step, togglePanel };
}

import { useCallback, useLayoutEffect, useRef } from 'react';
import { type Location, useLocation, useNavigate, useSearchParams } from 'react-router';

type Change = (before: URLSearchParams) => URLSearchParams | string;
type How = { replace?: boolean; preventScrollReset?: boolean };

/** The searches that a location was changed to and that the page has not arrived at, the latest last. */
const onTheirWay = new WeakMap<Location, string[]>();

/** How a search is written, whatever wrote it. */
const written = (search: URLSearchParams | string) => new URLSearchParams(search).toString();

/**
 * The search of the address, and a way to change it. Changes come faster than pages, and from several fields of one
 * page: each goes on from the latest, so that none undoes another.
 */
export function useSearch(): [URLSearchParams, (change: Change, how?: How) => void] {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const location = useLocation();
  const here = useRef(location);
  useLayoutEffect(() => {
    if (here.current !== location) arrive(here.current, location);
    here.current = location;
  });
  const changeSearch = useCallback(
    (change: Change, how: How = {}) => {
      const coming = onTheirWay.get(here.current) ?? [];
      const before = coming.at(-1) ?? written(here.current.search);
      const after = written(change(new URLSearchParams(before)));
      onTheirWay.set(here.current, [...coming, after]);
      void navigate(`?${after}`, how);
    },
    [navigate],
  );
  return [search, changeSearch];
}

/** Keeps the searches that were sent after the one at which the page arrived: they are still to come. */
function arrive(from: Location, to: Location): void {
  const coming = onTheirWay.get(from) ?? [];
  const at = to.pathname === from.pathname ? coming.lastIndexOf(written(to.search)) : -1;
  if (at >= 0 && !onTheirWay.has(to)) onTheirWay.set(to, coming.slice(at + 1));
}

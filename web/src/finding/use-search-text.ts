import { useEffect, useState } from 'react';
import { useSearch } from './use-search';

/** Long enough that a word typed at a desk is one search, short enough not to be noticed. */
const PAUSE_MS = 120;

/** What is typed, and what is searched for: the address keeps it, so that "Back" returns to the list it left. */
export function useSearchText() {
  const [parameters, changeSearch] = useSearch();
  const searched = parameters.get('q') ?? '';
  const [text, setText] = useState(searched);
  const typed = text.trim();
  useEffect(() => {
    if (typed === searched) return;
    const timer = setTimeout(
      () => changeSearch((before) => searching(before, typed), { replace: true, preventScrollReset: true }),
      PAUSE_MS,
    );
    // The search would cancel the way to a page that is opened at this moment.
    const leave = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('a')) clearTimeout(timer);
    };
    document.addEventListener('click', leave, { capture: true });
    return () => {
      clearTimeout(timer);
      document.removeEventListener('click', leave, { capture: true });
    };
  }, [typed, searched, changeSearch]);
  return { text, searched, setText };
}

/** Filters stay as they are. */
function searching(before: URLSearchParams, typed: string): URLSearchParams {
  const after = new URLSearchParams(before);
  after.delete('q');
  if (typed) after.set('q', typed);
  return after;
}

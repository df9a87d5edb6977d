import { useEffect, useState } from 'react';
import { useNavigation, useSearchParams } from 'react-router';

/** Long enough that a word typed at a desk is one search, short enough not to be noticed. */
const PAUSE_MS = 120;

/** What is typed, and what is searched for: the address keeps it, so that "Back" returns to the list it left. */
export function useSearchText() {
  const [parameters, setParameters] = useSearchParams();
  const searched = parameters.get('q') ?? '';
  const [text, setText] = useState(searched);
  const typed = text.trim();
  // A change of the address would cancel the way to a customer that was just opened.
  const leaving = useNavigation().state !== 'idle';
  useEffect(() => {
    if (typed === searched || leaving) return;
    const timer = setTimeout(
      () => setParameters(typed ? { q: typed } : {}, { replace: true, preventScrollReset: true }),
      PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [typed, searched, leaving, setParameters]);
  return { text, searched, setText };
}

import { useEffect, useState } from 'react';

/**
 * A one-time token of the address, taken once. It must not stay in address,
 * history or a referrer, so the address loses its query before anything is sent.
 */
export function useTokenOfAddress(name: string): string {
  const [token] = useState(() => new URLSearchParams(window.location.search).get(name) ?? '');
  useEffect(() => {
    if (window.location.search) {
      window.history.replaceState(window.history.state, '', window.location.pathname);
    }
  }, []);
  return token;
}

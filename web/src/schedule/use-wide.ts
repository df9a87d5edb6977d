import { useSyncExternalStore } from 'react';

/** The theme's `sm`: narrower, columns would be slits. */
const WIDE = '(min-width: 600px)';

function follow(listener: () => void): () => void {
  const media = window.matchMedia(WIDE);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

/** Whether there is room for columns. */
export function useWide(): boolean {
  return useSyncExternalStore(follow, () => window.matchMedia(WIDE).matches);
}

import { useSyncExternalStore } from 'react';

/** The theme's `sm`: narrower, columns would be slits. */
const WIDE = '(min-width: 37.5rem)';
/** The theme's `md`: narrower, the navigation is within a thumb's reach. */
const BESIDE = '(min-width: 56.25rem)';
/** The theme's `lg`: narrower, a panel beside the columns would leave too few of them. */
const ROOMY = '(min-width: 75rem)';
/** Room for a few lines only, as on a screen enlarged to 200 %. */
const LOW = '(max-height: 32rem)';

const following = (query: string) => ({
  follow: (listener: () => void) => {
    const media = window.matchMedia(query);
    media.addEventListener('change', listener);
    return () => media.removeEventListener('change', listener);
  },
  holds: () => window.matchMedia(query).matches,
});

const [wide, beside, roomy] = [following(WIDE), following(BESIDE), following(ROOMY)];
const low = following(LOW);

/** Whether there is room for columns. */
export const useWide = (): boolean => useSyncExternalStore(wide.follow, wide.holds);

/** Whether there is room for the navigation beside the page. */
export const useBeside = (): boolean => useSyncExternalStore(beside.follow, beside.holds);

/** Whether there is room for something beside columns. */
export const useRoomy = (): boolean => useSyncExternalStore(roomy.follow, roomy.holds);

/** Whether the screen is low. */
export const useLow = (): boolean => useSyncExternalStore(low.follow, low.holds);

/** Whether rows that stay in sight would leave too little of the page: a low screen, or a tablet. */
export function useScarce(): boolean {
  const [isCompact, isLow] = [useCompact(), useLow()];
  return isCompact || isLow;
}

/** Whether there is room for columns and little else: a tablet, or a screen enlarged to 200 %. */
export function useCompact(): boolean {
  const [isWide, isRoomy, isLow] = [useWide(), useRoomy(), useLow()];
  return isWide && (!isRoomy || isLow);
}

import { session } from '../session/current';

/** Until then the page before stays, with a thin line of progress. */
export const SKELETON_DELAY_MS = 1500;

let pageBefore = false;

/** A page stands: the next one may let it stand a little longer. */
export function pageStands(): void {
  pageBefore = true;
}

/**
 * Lets reads run ahead of a page, but holds the page up no longer than the
 * skeleton's delay, and not at all where no page stands yet.
 */
export async function warm(reads: () => Promise<unknown>[]): Promise<null> {
  if (!pageBefore || !session.state.user) return null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, SKELETON_DELAY_MS);
  });
  await Promise.race([Promise.allSettled(reads()), patience]);
  clearTimeout(timer);
  return null;
}

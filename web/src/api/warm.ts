import { session } from '../session/current';

/** Until then the page before stays, with a thin line of progress. */
export const SKELETON_DELAY_MS = 1500;

/**
 * Lets reads run ahead of a page, but holds the page up no longer than the
 * skeleton's delay, and not at all while the session is still being found out.
 */
export async function warm(reads: () => Promise<unknown>[]): Promise<null> {
  const { user, complete } = session.state;
  if (!complete || !user) return null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, SKELETON_DELAY_MS);
  });
  await Promise.race([Promise.allSettled(reads()), patience]);
  clearTimeout(timer);
  return null;
}

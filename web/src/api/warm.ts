import { session } from '../session/current';

/** Until then the page before stays, with a thin line of progress. */
export const SKELETON_DELAY_MS = 1500;

let pageBefore = false;

/** A page stands: the next one may let it stand a little longer. */
export function pageStands(): void {
  pageBefore = true;
}

/** How long the first page is held for what it reads: drawing it twice takes longer. */
const FIRST_READS_MS = 500;

/**
 * Lets reads run ahead of a page, but holds the page up no longer than the
 * skeleton's delay, and hardly at all where no page stands yet.
 */
export async function warm(reads: () => Promise<unknown>[]): Promise<null> {
  const patience = pageBefore ? SKELETON_DELAY_MS : FIRST_READS_MS;
  await within(patience, warmed(reads));
  return null;
}

async function warmed(reads: () => Promise<unknown>[]): Promise<void> {
  if (!pageBefore) await session.start();
  if (!session.state.user) return;
  const begun = Promise.allSettled(reads());
  if (pageBefore) await begun;
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
}

import { session } from '../session/current';

/** Until then the previous page stays, with a thin progress line. */
export const SKELETON_DELAY_MS = 1500;
/** How long the first page is held until its reads are under way: they take as long as drawing its frame. */
const FIRST_READS_MS = 500;
/** How long the first page may take with what it reads before the rest comes all the same. */
const FIRST_SHOWN_MS = 2500;

let pageBefore = false;
let firstReads: Promise<void> = Promise.resolve();
let firstShown: () => void = () => undefined;
const shown = new Promise<void>((resolve) => {
  firstShown = resolve;
});

/** A page is shown: it may stay a little longer while the next one loads. */
export function pageStands(): void {
  if (pageBefore) return;
  pageBefore = true;
  void within(FIRST_SHOWN_MS, firstReads).then(quiet).then(firstShown);
}

/** Loads code that the first page does not need at once, after its own reads. */
export const afterwards = <T>(load: () => Promise<T>): Promise<T> => shown.then(load);

/**
 * Lets reads run ahead of a page, but holds the page up no longer than the
 * skeleton's delay, and hardly at all where no page stands yet.
 */
export async function warm(reads: () => Promise<unknown>[]): Promise<null> {
  if (pageBefore) {
    await within(SKELETON_DELAY_MS, begin(reads));
  } else {
    const known = session.start();
    firstReads = known.then(() => begin(reads));
    await within(FIRST_READS_MS, known);
  }
  return null;
}

/** Never rejects: the page that shows the data reports the failure. */
async function begin(reads: () => Promise<unknown>[]): Promise<void> {
  if (session.state.user) await Promise.allSettled(reads());
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
}

/** Resolves when the browser is idle, where it reports that. */
function quiet(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: FIRST_SHOWN_MS });
    else setTimeout(resolve, FIRST_READS_MS);
  });
}

/** Time, passed in so that tests control it. */
export type Clock = {
  now(): number;
  /** Calls back later; the result cancels it. */
  after(ms: number, callback: () => void): () => void;
};

/** The longest wait a browser's timer takes; a longer one would be over at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const browserClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    let id: ReturnType<typeof setTimeout>;
    const wait = (left: number) => {
      const part = Math.min(left, LONGEST_TIMER_MS);
      id = setTimeout(() => (left > part ? wait(left - part) : callback()), part);
    };
    wait(ms);
    return () => clearTimeout(id);
  },
};

/** Time, handed in so that tests own it. */
export type Clock = {
  now(): number;
  /** Calls back later; the result takes it back. */
  after(ms: number, callback: () => void): () => void;
};

export const browserClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const id = setTimeout(callback, ms);
    return () => clearTimeout(id);
  },
};

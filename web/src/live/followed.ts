/** As many as one socket follows. */
const MOST = 200;

/** The businesses that a socket follows: those in front before the person's others. */
export function followed(inFront: readonly string[], all: readonly string[]): string[] {
  return [...new Set([...inFront, ...all])].slice(0, MOST);
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** After a restart of the server all clients reconnect: spread over this long. */
const RESTART_SPREAD_MS = 5000;

/** How long to wait before the nth attempt in a row; `random` is in [0, 1). */
export function reconnectDelay(attempt: number, random: number): number {
  const ceiling = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt, 10));
  return ceiling / 2 + (ceiling / 2) * random;
}

export function restartDelay(random: number): number {
  return RESTART_SPREAD_MS * random;
}

/** A number compared with the one before it. */
export type Change = { direction: 'up' | 'down' | 'same'; percent: number | undefined };

/** Undefined where either is not known. A percentage of nothing is none. */
export function changeOf(now: number | undefined, before: number | undefined): Change | undefined {
  if (now === undefined || before === undefined) return undefined;
  const direction = now > before ? 'up' : now < before ? 'down' : 'same';
  const percent = before > 0 ? Math.round((Math.abs(now - before) / before) * 100) : undefined;
  return { direction, percent };
}

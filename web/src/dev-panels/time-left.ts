/** A stretch of time down to its seconds, as a countdown shows it. */
export function timeLeft(ms: number): string {
  if (ms <= 0) return 'expired';
  const seconds = Math.ceil(ms / 1000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([value]) => value > 0);
  return parts
    .slice(first, first + 2)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(' ');
}

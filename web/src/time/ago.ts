import { LANGUAGE } from './language';

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

const SECOND = 1000;

/** "5 minutes ago", "in 3 days", "just now": as far as one unit tells it. What is to come is rounded to the nearest, and told in the next unit where it rounds up to one. */
export function agoText(date: Date, now: Date): string {
  const distance = date.getTime() - now.getTime();
  for (const [index, [unit, length]] of STEPS.entries()) {
    const finer = STEPS[index + 1]?.[1] ?? SECOND;
    const reached = distance > 0 ? Math.round(distance / finer) * finer : -distance;
    if (reached < length) continue;
    const count = distance > 0 ? Math.round(distance / length) : Math.trunc(distance / length);
    return new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' }).format(count, unit);
  }
  return distance > 0 ? 'in a moment' : 'just now';
}

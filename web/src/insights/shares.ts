/** A part of a whole, 0 to 1; undefined where there is no whole. */
export function shareOf(part: bigint | number, whole: bigint | number): number | undefined {
  return Number(whole) > 0 ? Number(part) / Number(whole) : undefined;
}

/** What calls came to, the most calls first. */
export function oftenFirst<T extends { calls: bigint }>(counts: readonly T[]): T[] {
  return counts.toSorted((one, other) => Number(other.calls - one.calls));
}

/** "08:00–09:00". */
export function hourText(hour: number): string {
  const clock = (of: number) => `${String(of % 24).padStart(2, '0')}:00`;
  return `${clock(hour)}–${clock(hour + 1)}`;
}

type Day = { date: string; calls: number; answered: number; ended: number };

/** Days, or weeks where there are too many days to tell apart: under the first date of each. */
export function steps(days: readonly Day[], most: number): Day[] {
  if (days.length <= most) return [...days];
  const weeks: Day[] = [];
  days.forEach((day, index) => {
    const week = weeks[Math.floor(index / 7)];
    if (!week) {
      weeks.push({ ...day });
      return;
    }
    week.calls += day.calls;
    week.answered += day.answered;
    week.ended += day.ended;
  });
  return weeks;
}

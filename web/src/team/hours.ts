import { minuteText, weekdayName } from '../day/opening';
import { minutesOf, type Span, spansOf } from '../day/spans';
import type { DaySpan, WeeklySchedule, WeeklySpan } from '../gen/frontdesk/scheduling/v1/schedule_pb';

/** A week's hours, Monday first; a day without spans is a day off. */
export type Week = readonly (readonly Span[])[];

export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;
const STEP = 5;
const BREAK_MINUTES = 30;
/** What a day begins with when nothing tells better. */
export const ORDINARY_DAY: Span = { from: 9 * 60, to: 17 * 60 };

export function weekOfSpans(spans: readonly WeeklySpan[]): Span[][] {
  return WEEKDAYS.map((day) => spansOf(spans.filter(({ weekday }) => weekday === day)));
}

/** As the contract takes it. */
export function weeklySpans(week: Week): Pick<WeeklySpan, 'weekday' | 'fromMinute' | 'toMinute'>[] {
  return week.flatMap((spans, index) =>
    daySpans(spans).map((span) => ({ weekday: WEEKDAYS[index] ?? 1, ...span })),
  );
}

export function daySpans(spans: readonly Span[]): Pick<DaySpan, 'fromMinute' | 'toMinute'>[] {
  return spans.map(({ from, to }) => ({ fromMinute: from, toMinute: to }));
}

/** The week that counts on a day. */
export function countingOn(weeks: readonly WeeklySchedule[], day: string): WeeklySchedule | undefined {
  return inOrder(weeks)
    .filter(({ effectiveFrom }) => effectiveFrom <= day)
    .at(-1);
}

/** By the date from which they apply; the one from the start is first. */
export function inOrder(weeks: readonly WeeklySchedule[]): WeeklySchedule[] {
  return [...weeks].sort((one, other) => (one.effectiveFrom < other.effectiveFrom ? -1 : 1));
}

/** Half an hour off in the middle of the longest stretch. */
export function withBreak(spans: readonly Span[]): Span[] {
  const longest = spans.reduce((best, span) => (span.to - span.from > best.to - best.from ? span : best), {
    from: 0,
    to: 0,
  });
  if (longest.to - longest.from < BREAK_MINUTES + 2 * STEP) return [...spans];
  const middle = (longest.from + longest.to - BREAK_MINUTES) / 2;
  const pause = Math.round(middle / STEP) * STEP;
  return spans.flatMap((span) =>
    span === longest
      ? [
          { from: span.from, to: pause },
          { from: pause + BREAK_MINUTES, to: span.to },
        ]
      : [span],
  );
}

/** Without the break before the stretch of this number: it and the one before become one. */
export function withoutBreak(spans: readonly Span[], index: number): Span[] {
  return spans.flatMap((span, at) => {
    if (at === index) return [];
    const next = at === index - 1 ? spans[index] : undefined;
    return [next ? { from: span.from, to: next.to } : span];
  });
}

/** What is wrong with a day's hours, as a sentence; undefined when nothing is. */
export function problemOf(spans: readonly Span[]): string | undefined {
  if (spans.some(({ from, to }) => Number.isNaN(from) || Number.isNaN(to))) return 'Fill in every time.';
  if (spans.some(({ from, to }) => from % STEP !== 0 || to % STEP !== 0))
    return `Times go by steps of ${STEP} minutes.`;
  if (spans.some(({ from, to }) => from >= to)) return 'The end must be after the start.';
  const sorted = [...spans].sort((one, other) => one.from - other.from);
  const overlaps = sorted.some(({ from }, index) => from < (sorted[index - 1]?.to ?? 0));
  return overlaps ? 'These hours overlap.' : undefined;
}

function sameSpans(some: readonly Span[], others: readonly Span[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ from, to }, index) => from === others[index]?.from && to === others[index]?.to)
  );
}

/** "9:00 – 13:00, 13:30 – 17:00"; a day off says so. */
export function hoursText(spans: readonly Span[], off = 'Not at work'): string {
  if (spans.length === 0) return off;
  return spans.map(({ from, to }) => `${minuteText(from)} – ${minuteText(to)}`).join(', ');
}

/** "38 h", "37 h 30". */
export function totalText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest === 0 ? `${hours} h` : `${hours} h ${String(rest).padStart(2, '0')}`;
}

export function totalOf(week: Week): number {
  return week.reduce((sum, spans) => sum + minutesOf(spans), 0);
}

/** "Monday to Wednesday" and their hours: days with the same hours in a row are one line; days off are left out. */
export function weekLines(week: Week): { days: string; spans: readonly Span[] }[] {
  const lines: { first: number; last: number; spans: readonly Span[] }[] = [];
  for (const [index, spans] of week.entries()) {
    const before = lines.at(-1);
    if (before && before.last === index - 1 && sameSpans(before.spans, spans)) before.last = index;
    else if (spans.length > 0) lines.push({ first: index, last: index, spans });
  }
  return lines.map(({ first, last, spans }) => ({ days: daysText(first, last), spans }));
}

/** "Sunday", "Monday to Wednesday, Sunday": the days of a week without hours. */
export function daysOffText(week: Week): string {
  const runs: { first: number; last: number }[] = [];
  for (const [index, spans] of week.entries()) {
    if (spans.length > 0) continue;
    const before = runs.at(-1);
    if (before && before.last === index - 1) before.last = index;
    else runs.push({ first: index, last: index });
  }
  return runs.map(({ first, last }) => daysText(first, last)).join(', ');
}

function daysText(first: number, last: number): string {
  const [from, to] = [weekdayName(first + 1), weekdayName(last + 1)];
  if (first === last) return from;
  return last === first + 1 ? `${from}, ${to}` : `${from} to ${to}`;
}

/** The whole hours that hold all of a week, to draw its days alike; what is being typed has no place yet. */
export function shownHours(week: Week): Span {
  const whole = week.flat().filter(({ from, to }) => from < to);
  const spans = whole.length > 0 ? whole : [ORDINARY_DAY];
  return {
    from: Math.floor(Math.min(...spans.map(({ from }) => from)) / 60) * 60,
    to: Math.ceil(Math.max(...spans.map(({ to }) => to)) / 60) * 60,
  };
}

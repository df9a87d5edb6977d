/** Stretches of a day in minutes after midnight. */
export type Span = { from: number; to: number };

/** As the contract has them, by start. */
export function spansOf(list: readonly { fromMinute: number; toMinute: number }[]): Span[] {
  return list
    .map(({ fromMinute, toMinute }) => ({ from: fromMinute, to: toMinute }))
    .sort((one, other) => one.from - other.from);
}

export function overlap(one: Span, other: Span): boolean {
  return one.from < other.to && other.from < one.to;
}

/** What both have. */
export function intersect(some: readonly Span[], others: readonly Span[]): Span[] {
  const shared = some.flatMap((one) =>
    others
      .filter((other) => overlap(one, other))
      .map((other) => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) })),
  );
  return shared.sort((one, other) => one.from - other.from);
}

/** What is left of the first when the others are taken away. */
export function without(some: readonly Span[], others: readonly Span[]): Span[] {
  return others.reduce<Span[]>(
    (left, other) =>
      left.flatMap((span) => {
        if (!overlap(span, other)) return [span];
        return [
          { from: span.from, to: Math.max(span.from, other.from) },
          { from: Math.min(span.to, other.to), to: span.to },
        ].filter(({ from, to }) => from < to);
      }),
    [...some],
  );
}

/** Stretches that overlap or touch are one. */
export function joined(spans: readonly Span[]): Span[] {
  return [...spans]
    .sort((one, other) => one.from - other.from)
    .reduce<Span[]>((all, { from, to }) => {
      const last = all.at(-1);
      if (last && last.to >= from) last.to = Math.max(last.to, to);
      else all.push({ from, to });
      return all;
    }, []);
}

export function minutesOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0);
}

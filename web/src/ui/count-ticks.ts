const MOST_TICKS = 5;

/** How many ticks an axis has on which `most` is the highest count: no more than there are whole numbers. */
export const countTicks = (most: number) => Math.max(2, Math.min(MOST_TICKS, most + 1));

export type Area = { top: number; right: number; bottom: number; left: number };

/** Something that is better not covered, and how much better. */
export type Obstacle = Area & { weight: number };

/** Between what is moved and what it makes room for. */
const GAP = 8;

/** Whether some of one area is some of the other. */
export function covers(area: Area, other: Area): boolean {
  const beside = area.left < other.right && other.left < area.right;
  return beside && area.top < other.bottom && other.top < area.bottom;
}

/**
 * How far an area goes down to cover nothing, or up where `most` is below zero: as little as possible, and
 * `most` at the most. Where everything is taken, it goes where least is covered.
 */
export function shiftToFree(area: Area, obstacles: readonly Obstacle[], most: number): number {
  const beside = obstacles.filter(({ left, right }) => area.left < right && left < area.right);
  const past = ({ top, bottom }: Area) => (most < 0 ? top - GAP - area.bottom : bottom + GAP - area.top);
  const isWithin = (shift: number) => (most < 0 ? shift < 0 && shift >= most : shift > 0 && shift <= most);
  const shifts = [0, ...beside.map(past).filter(isWithin)].sort((a, b) => Math.abs(a) - Math.abs(b));
  let best = { shift: 0, cost: Number.POSITIVE_INFINITY };
  for (const shift of shifts) {
    const cost = costAt(area, shift, beside);
    if (cost < best.cost) best = { shift, cost };
    if (cost === 0) break;
  }
  return best.shift;
}

function costAt(area: Area, shift: number, obstacles: readonly Obstacle[]): number {
  const moved = { ...area, top: area.top + shift, bottom: area.bottom + shift };
  return obstacles.reduce((cost, obstacle) => cost + (covers(moved, obstacle) ? obstacle.weight : 0), 0);
}

/** The part of an area that lies within a frame; undefined if none does. */
export function clipped(area: Area, frame: Area): Area | undefined {
  const part = {
    top: Math.max(area.top, frame.top),
    right: Math.min(area.right, frame.right),
    bottom: Math.min(area.bottom, frame.bottom),
    left: Math.max(area.left, frame.left),
  };
  return part.top < part.bottom && part.left < part.right ? part : undefined;
}

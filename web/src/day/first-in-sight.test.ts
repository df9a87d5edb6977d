import { describe, expect, it } from 'vitest';
import { column, dayOf, span, visit } from '../testing/day-answer';
import { columnsOf } from './columns';
import { firstInSight, workOf } from './first-in-sight';

const clock = (hours: number, minutes = 0) => hours * 60 + minutes;
const NINE_TO_SIX = { from: clock(9), to: clock(18) };
/** What a desktop, a tablet, and a laptop at 200 % have room for. */
const ROOMS = [clock(7), clock(5), clock(4), clock(1, 10), clock(0, 40)];

/** From when to when a day is in sight at some hour. */
function inSight(now: number, room: number, work = NINE_TO_SIX) {
  const from = firstInSight(now, work, room);
  return { from, to: from + room };
}

describe.each(ROOMS)('a day that opens with room for %i minutes', (room) => {
  it('shows the first hour while it is night, as far as there is room', () => {
    for (const now of [0, clock(4), clock(8, 59), clock(9)]) {
      const { from, to } = inSight(now, room);
      expect(from).toBeLessThanOrEqual(clock(9));
      expect(to).toBeGreaterThanOrEqual(clock(9) + Math.min(60, room));
    }
  });

  it('shows the present while it is open', () => {
    for (let now = clock(9); now <= clock(18); now += 5) {
      const { from, to } = inSight(now, room);
      expect(from).toBeLessThanOrEqual(now);
      expect(to).toBeGreaterThanOrEqual(now);
    }
  });

  it('shows the last hour once it is closed', () => {
    for (const now of [clock(18, 1), clock(20), clock(23, 59)]) {
      const { from, to } = inSight(now, room);
      expect(from).toBeLessThanOrEqual(clock(17));
      expect(to).toBeGreaterThanOrEqual(clock(17) + Math.min(60, room));
    }
  });
});

it('shows the present as well when the day begins or ended a few minutes ago', () => {
  expect(inSight(clock(8, 40), clock(4)).from).toBeLessThan(clock(8, 40));
  expect(inSight(clock(18, 20), clock(4)).to).toBeGreaterThan(clock(18, 20));
});

describe('the work of a day', () => {
  const of = (changes: Parameters<typeof dayOf>[0] = {}) => workOf(columnsOf(dayOf(changes), ''));

  it('is from the first to the last minute at work or booked', () => {
    const [ana, ben] = [column('ana', { working: [span(600, 1020)] }), column('ben')];
    expect(of({ columns: [ana, ben] })).toEqual({ from: 600, to: 1020 });
    const late = visit('ada', [['cut', 'ana', 1020, 1080]]);
    expect(of({ columns: [ana], visits: [late] })).toEqual({ from: 600, to: 1080 });
  });

  it('is what is shown of a day on which no one works', () => {
    expect(of({ columns: [column('ana', { working: [] })], visits: [] })).toEqual({ from: 480, to: 1140 });
  });
});

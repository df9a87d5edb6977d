import { describe, expect, it } from 'vitest';
import { BOOKED, CLOSES, type DemoBlock, markAfter, OPENS, pauseAfter, SCRIPT, TEAM } from './script';

const overlaps = (one: DemoBlock, other: DemoBlock) =>
  one.employee === other.employee && one.from < other.to && other.from < one.to;

describe('the sample call', () => {
  it('goes forward in time', () => {
    expect(SCRIPT.every((step, index) => index === 0 || step.atMs > (SCRIPT[index - 1]?.atMs ?? 0))).toBe(
      true,
    );
  });

  it('books a time that is free on the day shown, and offers no other', () => {
    const booked = markAfter(SCRIPT.length);
    expect(booked?.kind).toBe('booked');
    if (booked?.kind !== 'booked') return;
    expect(BOOKED.filter((block) => overlaps(block, booked.block))).toEqual([]);
    const offered = SCRIPT.flatMap((step) =>
      step.kind === 'tool' && step.mark?.kind === 'offered' ? step.mark.starts : [],
    );
    const length = booked.block.to - booked.block.from;
    for (const { employee, from } of offered) {
      const block = { ...booked.block, employee, from, to: from + length };
      expect(BOOKED.filter((other) => overlaps(other, block))).toEqual([]);
    }
    expect(offered).toContainEqual({ employee: booked.block.employee, from: booked.block.from });
  });

  it('keeps the day within opening hours, and each visit apart', () => {
    for (const block of BOOKED) {
      expect(block.from >= OPENS && block.to <= CLOSES && block.from < block.to).toBe(true);
      expect(TEAM).toContain(block.employee);
      expect(BOOKED.filter((other) => overlaps(block, other))).toEqual([block]);
    }
  });

  it('shows nothing on the day before the agent searches', () => {
    expect(markAfter(0)).toBeUndefined();
    const search = SCRIPT.findIndex((step) => step.kind === 'tool' && step.name === 'search_availability');
    expect(markAfter(search)).toBeUndefined();
    expect(markAfter(search + 1)?.kind).toBe('offered');
  });

  it('pauses between steps, never long, and not after the last', () => {
    const pauses = SCRIPT.map((_, index) => pauseAfter(index));
    expect(pauses.at(-1)).toBe(0);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(2800);
    expect(Math.min(...pauses.slice(0, -1))).toBeGreaterThanOrEqual(700);
  });
});

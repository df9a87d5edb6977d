import { describe, expect, it } from 'vitest';
import { movedText, type Place } from './moved-text';

const NOW = new Date('2026-11-24T08:00Z');

const place = (start: string, minutes: number, ...names: string[]): Place => {
  const startsAt = new Date(`2026-11-${start}Z`);
  return { startsAt, endsAt: new Date(startsAt.getTime() + minutes * 60_000), names };
};
const told = (from: Place, to?: Place) => movedText(from, to, 'Europe/London', NOW);

describe('a move is one sentence', () => {
  it('says from where to where', () => {
    expect(told(place('24T10:00', 30, 'Ana'), place('26T11:30', 30, 'Ben'))).toBe(
      'Moved from today, 10:00 with Ana to Thursday 26 November, 11:30 with Ben',
    );
  });

  it('says a shared day and shared employees once', () => {
    expect(told(place('24T10:00', 30, 'Ana', 'Ana'), place('24T11:30', 30, 'Ana'))).toBe(
      'Moved from today, 10:00 to 11:30 with Ana',
    );
    expect(told(place('24T10:00', 30, 'Ana'), place('24T11:30', 30, 'Ben', 'Cem'))).toBe(
      'Moved from today, 10:00 with Ana to 11:30 with Ben and Cem',
    );
  });

  it('says who does it since, where the time stays', () => {
    expect(told(place('24T10:00', 30, 'Ana'), place('24T10:00', 30, 'Ben'))).toBe(
      'Moved from Ana to Ben, still today, 10:00',
    );
  });

  it('says a new length, and what takes the same time in another way', () => {
    expect(told(place('24T10:00', 30, 'Ana'), place('24T10:00', 45, 'Ana'))).toBe(
      'Ends at 10:45 instead of 10:30',
    );
    expect(told(place('24T10:00', 30, 'Ana'), place('24T10:00', 30, 'Ana'))).toBe(
      'Rearranged within the same time, today, 10:00 with Ana',
    );
  });

  it('leaves out where it went and names that are not known', () => {
    expect(told(place('24T10:00', 30, 'Ana'))).toBe('Moved from today, 10:00 with Ana');
    expect(told(place('24T10:00', 30), place('24T11:00', 30))).toBe('Moved from today, 10:00 to 11:00');
  });
});

import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { OpeningExceptionSchema } from '../gen/frontdesk/scheduling/v1/opening_exception_pb';
import { WeeklySpanSchema } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { openState, weekOf } from './opening';

const span = (weekday: number, fromMinute: number, toMinute: number) =>
  create(WeeklySpanSchema, { weekday, fromMinute, toMinute });

const spans = [span(2, 540, 1080), span(4, 840, 1200), span(4, 540, 780)];
const at = (instant: string) => openState(spans, [], new Date(instant), 'Europe/London');

describe('opening hours', () => {
  it('run from Monday to Sunday, each day in order', () => {
    const week = weekOf(spans);
    expect(week).toHaveLength(7);
    expect(week[3]?.spans).toEqual([
      { from: 540, to: 780 },
      { from: 840, to: 1200 },
    ]);
    expect(week[0]?.spans).toEqual([]);
  });

  it('are open from their first minute to before their last', () => {
    expect(at('2026-11-24T09:00:00Z')).toEqual({ kind: 'open', until: 1080 });
    expect(at('2026-11-24T17:59:00Z')).toEqual({ kind: 'open', until: 1080 });
    expect(at('2026-11-24T18:00:00Z')).toMatchObject({ kind: 'closed' });
  });

  it('say when the door opens next: later today, tomorrow or another day', () => {
    expect(at('2026-11-26T13:30:00Z')).toEqual({
      kind: 'closed',
      opens: { inDays: 0, day: '2026-11-26', at: 840 },
    });
    expect(at('2026-11-25T12:00:00Z')).toEqual({
      kind: 'closed',
      opens: { inDays: 1, day: '2026-11-26', at: 540 },
    });
    expect(at('2026-11-26T20:00:00Z')).toEqual({
      kind: 'closed',
      opens: { inDays: 5, day: '2026-12-01', at: 540 },
    });
  });

  it('come round again for a salon open one day a week', () => {
    const state = openState([span(2, 540, 1080)], [], new Date('2026-11-24T19:00:00Z'), 'Europe/London');
    expect(state).toEqual({ kind: 'closed', opens: { inDays: 7, day: '2026-12-01', at: 540 } });
  });

  it('never open when there are none', () => {
    expect(openState([], [], new Date(), 'Europe/London')).toEqual({ kind: 'never' });
  });

  it('give way to a closure and to the special hours of a day', () => {
    const closed = create(OpeningExceptionSchema, { firstDate: '2026-11-24', lastDate: '2026-11-26' });
    const early = create(OpeningExceptionSchema, {
      firstDate: '2026-11-24',
      lastDate: '2026-11-24',
      spans: [{ fromMinute: 540, toMinute: 900 }],
    });
    const noon = new Date('2026-11-24T12:00:00Z');
    expect(openState(spans, [closed], noon, 'Europe/London')).toEqual({
      kind: 'closed',
      opens: { inDays: 7, day: '2026-12-01', at: 540 },
    });
    expect(openState(spans, [early], noon, 'Europe/London')).toEqual({ kind: 'open', until: 900 });
  });
});

import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it, vi } from 'vitest';

vi.mock('../session/current', () => ({ api: vi.fn() }));

import {
  ExplainAvailabilityResponseSchema,
  Obstacle_Kind,
  VisitObstacle_Kind,
} from '../gen/frontdesk/scheduling/v1/availability_pb';
import { nextStartOf, stepsFrom, whyNothing } from './walk-in';

const START = new Date('2026-06-02T10:00:00Z');
const END = new Date('2026-06-02T10:30:00Z');
const busy = { obstacles: [{ kind: Obstacle_Kind.BOOKED }] };

const answer = (init: MessageInitShape<typeof ExplainAvailabilityResponseSchema>) =>
  create(ExplainAvailabilityResponseSchema, init);
const item = (...candidates: { employeeName: string; obstacles?: { kind: Obstacle_Kind }[] }[]) => ({
  endsAt: timestampFromDate(END),
  candidates,
});

describe('the next start for a walk-in', () => {
  it('is looked for from the next step of five minutes on, for an hour', () => {
    const steps = stepsFrom(new Date('2026-06-02T10:02:10Z')).map((step) => step.toISOString().slice(11, 16));
    expect([steps[0], steps.at(-1), steps.length]).toEqual(['10:05', '11:00', 12]);
    expect(stepsFrom(START)[0]).toEqual(START);
  });

  it('is with the employee that the engine would book', () => {
    const free = answer({
      offer: { items: [{ employeeName: 'Tom' }] },
      items: [item({ employeeName: 'Tom' })],
    });
    expect(nextStartOf(START, free)).toEqual({ startsAt: START, endsAt: END, names: ['Tom'] });
  });

  it('ignores the lead time, and nothing else', () => {
    const soon = { kind: VisitObstacle_Kind.TOO_SOON };
    const oneFree = item({ employeeName: 'Maya', ...busy }, { employeeName: 'Tom' });
    expect(nextStartOf(START, answer({ obstacles: [soon], items: [oneFree] }))?.names).toEqual(['Tom']);
    expect(
      nextStartOf(START, answer({ obstacles: [soon], items: [item({ employeeName: 'Maya', ...busy })] })),
    ).toBeNull();
    const closed = { kind: VisitObstacle_Kind.CLOSED };
    expect(nextStartOf(START, answer({ obstacles: [soon, closed], items: [oneFree] }))).toBeNull();
    const needs = [{ kind: 'chair', candidates: [busy] }];
    expect(nextStartOf(START, answer({ obstacles: [soon], items: [{ ...oneFree, needs }] }))).toBeNull();
  });

  it('that there is none for is told with the reason that holds for all', () => {
    const off = { obstacles: [{ kind: Obstacle_Kind.NOT_WORKING }] };
    const cut = (...candidates: Parameters<typeof item>) => ({ ...item(...candidates), serviceName: 'Cut' });
    expect(whyNothing(answer({ obstacles: [{ kind: VisitObstacle_Kind.CLOSED }] }))).toBe(
      'The salon is closed now.',
    );
    expect(whyNothing(answer({ items: [cut()] }))).toBe('No employee does Cut.');
    expect(whyNothing(answer({ items: [cut({ employeeName: 'Maya', ...off })] }))).toBe(
      'No one who does Cut is at work now.',
    );
    const mixed = cut({ employeeName: 'Maya', ...off }, { employeeName: 'Tom', ...busy });
    expect(whyNothing(answer({ items: [mixed] }))).toBe('Nothing is free within the hour.');
  });
});

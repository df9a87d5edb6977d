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

  it('is with the employees that the engine would book, each named once', () => {
    const offer = {
      startsAt: timestampFromDate(START),
      endsAt: timestampFromDate(END),
      items: [{ employeeName: 'Tom' }, { employeeName: 'Maya' }, { employeeName: 'Tom' }],
    };
    expect(nextStartOf(answer({ offer }))).toEqual({ startsAt: START, endsAt: END, names: ['Tom', 'Maya'] });
  });

  it('is none that would not be booked, even with a free employee', () => {
    const closed = { kind: VisitObstacle_Kind.CLOSED };
    expect(nextStartOf(answer({ obstacles: [closed], items: [item({ employeeName: 'Tom' })] }))).toBeNull();
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

import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import {
  ExplainAvailabilityResponseSchema,
  Obstacle_Kind,
  Obstacle_Part,
  ObstacleSchema,
  VisitObstacle_Kind,
} from '../gen/frontdesk/scheduling/v1/availability_pb';
import { personRules, visitRules } from './rules';

const at = (text: string) => timestampFromDate(new Date(text));
const failing = (rules: { name: string; found: unknown[] }[]) =>
  rules.filter(({ found }) => found.length > 0).map(({ name }) => name);

describe('the rules of a check', () => {
  it('all pass where nothing is in the way', () => {
    const answer = create(ExplainAvailabilityResponseSchema, { timeZone: 'Europe/London' });
    expect(failing(visitRules(answer))).toEqual([]);
    expect(failing(personRules({ obstacles: [] }, 'Europe/London'))).toEqual([]);
  });

  it('fail with the record behind them, in the salon’s time', () => {
    const booked = create(ObstacleSchema, {
      kind: Obstacle_Kind.BOOKED,
      part: Obstacle_Part.BUFFER_AFTER,
      from: at('2026-07-01T09:00:00Z'),
      until: at('2026-07-01T09:30:00Z'),
      recordId: 'visit',
    });
    const rules = personRules({ obstacles: [booked] }, 'Europe/London');
    expect(rules.flatMap(({ found }) => found)).toEqual([
      {
        text: expect.stringMatching(/^10:00\s?–\s?10:30, in the time kept free after$/),
        record: 'Appointment',
        recordId: 'visit',
      },
    ]);
  });

  it('fail for an unknown reason as well', () => {
    const strange = create(ObstacleSchema, { kind: 99 as Obstacle_Kind });
    expect(failing(personRules({ obstacles: [strange] }, 'Europe/London'))).toEqual([
      'Nothing else is in the way',
    ]);
  });

  it('fail for the visit as a whole', () => {
    const answer = create(ExplainAvailabilityResponseSchema, {
      timeZone: 'Europe/London',
      obstacles: [{ kind: VisitObstacle_Kind.TOO_SOON, until: at('2026-12-01T10:00:00Z') }],
    });
    expect(failing(visitRules(answer))).toEqual(['Late enough: it has not passed']);
  });
});

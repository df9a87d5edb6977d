import { describe, expect, it } from 'vitest';
import { DependencyRule } from '../gen/frontdesk/scheduling/v1/dependency_pb';
import { type Bounds, ruleSentence } from './rule-text';

const rule = (rule: DependencyRule, bounds: Partial<Bounds> = {}): Bounds => ({
  rule,
  leastGapMinutes: 0,
  mostGapMinutes: undefined,
  leastHours: 0,
  mostDays: undefined,
  ...bounds,
});

describe('a rule in words', () => {
  it.each([
    [rule(DependencyRule.ORDER), 'Cut comes after Wash.'],
    [rule(DependencyRule.ORDER, { mostGapMinutes: 0 }), 'Cut comes after Wash: at once.'],
    [
      rule(DependencyRule.ORDER, { leastGapMinutes: 10, mostGapMinutes: 90 }),
      'Cut comes after Wash: 10 min to 1 h 30 min later.',
    ],
    [rule(DependencyRule.ORDER, { leastGapMinutes: 15 }), 'Cut comes after Wash: at least 15 min later.'],
    [rule(DependencyRule.SAME_EMPLOYEE), 'One person does both Wash and Cut.'],
    [rule(DependencyRule.DIFFERENT_EMPLOYEE), 'Two people do Wash and Cut.'],
    [rule(DependencyRule.PARALLEL), 'Wash and Cut may take place at the same time.'],
    [rule(DependencyRule.EARLIER_VISIT), 'Cut needs an earlier visit with Wash: any time before.'],
    [
      rule(DependencyRule.EARLIER_VISIT, { leastHours: 48, mostDays: 180 }),
      'Cut needs an earlier visit with Wash: at least 48 hours, up to 180 days before.',
    ],
  ])('%# is %s', (bounds, sentence) => {
    expect(ruleSentence(bounds, 'Wash', 'Cut')).toBe(sentence);
  });
});

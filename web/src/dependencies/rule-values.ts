import { DependencyRule } from '../gen/frontdesk/scheduling/v1/dependency_pb';
import type { Bounds } from './rule-text';

/** A rule as its form holds it. */
export type RuleValues = {
  first: string;
  then: string;
  /** A `DependencyRule`; the browser's own list gives it as text. */
  rule: number | string;
  leastGap: string;
  mostGap: string;
  leastHours: string;
  mostDays: string;
};

export const newRule = (first = '', then = ''): RuleValues => ({
  first,
  then,
  rule: DependencyRule.ORDER,
  leastGap: '',
  mostGap: '',
  leastHours: '',
  mostDays: '',
});

/** What the form amounts to: bounds of another kind of rule are left behind. */
export function dependencyOf(values: RuleValues): Bounds & { firstServiceId: string; thenServiceId: string } {
  const rule = Number(values.rule) as DependencyRule;
  const order = rule === DependencyRule.ORDER;
  const earlier = rule === DependencyRule.EARLIER_VISIT;
  return {
    firstServiceId: values.first,
    thenServiceId: values.then,
    rule,
    leastGapMinutes: order ? Number(values.leastGap || 0) : 0,
    mostGapMinutes: order && values.mostGap !== '' ? Number(values.mostGap) : undefined,
    leastHours: earlier ? Number(values.leastHours || 0) : 0,
    mostDays: earlier && values.mostDays !== '' ? Number(values.mostDays) : undefined,
  };
}

const isGap = (minutes: number) =>
  Number.isInteger(minutes) && minutes >= 0 && minutes <= 1440 && minutes % 5 === 0;

/** Errors that are known before the request. */
export function ruleProblems(values: RuleValues): [keyof RuleValues, string][] {
  const problems: [keyof RuleValues, string][] = [];
  const { rule, leastGapMinutes, mostGapMinutes, leastHours, mostDays = 730 } = dependencyOf(values);
  if (values.first === '') problems.push(['first', 'Choose a service.']);
  if (values.then === '') problems.push(['then', 'Choose a service.']);
  else if (values.then === values.first) problems.push(['then', 'Choose another service.']);
  if (rule === DependencyRule.ORDER) {
    if (!isGap(leastGapMinutes)) problems.push(['leastGap', 'Choose 0 to 1440 minutes, in steps of 5.']);
    if (mostGapMinutes !== undefined && !isGap(mostGapMinutes))
      problems.push(['mostGap', 'Choose 0 to 1440 minutes, in steps of 5.']);
    else if (mostGapMinutes !== undefined && mostGapMinutes < leastGapMinutes)
      problems.push(['mostGap', 'It can’t be less than the least gap.']);
  }
  if (rule === DependencyRule.EARLIER_VISIT) {
    if (!Number.isInteger(mostDays) || mostDays < 1 || mostDays > 730)
      problems.push(['mostDays', 'Choose 1 to 730 days.']);
    else if (!Number.isInteger(leastHours) || leastHours < 0 || leastHours > 24 * mostDays)
      problems.push(['leastHours', `Choose 0 to ${24 * mostDays} hours.`]);
  }
  return problems;
}

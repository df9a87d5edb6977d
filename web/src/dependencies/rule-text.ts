import { type Dependency, DependencyRule } from '../gen/frontdesk/scheduling/v1/dependency_pb';
import { minutesText } from '../time/zoned';

/** The kinds a person may choose from, in the order of how often they are wanted. */
export const RULES = [
  DependencyRule.ORDER,
  DependencyRule.SAME_EMPLOYEE,
  DependencyRule.DIFFERENT_EMPLOYEE,
  DependencyRule.PARALLEL,
  DependencyRule.EARLIER_VISIT,
] as const;

/** What a rule is called. */
export const RULE_NAMES: Readonly<Record<DependencyRule, string>> = {
  [DependencyRule.UNSPECIFIED]: 'Rule',
  [DependencyRule.ORDER]: 'One after the other',
  [DependencyRule.SAME_EMPLOYEE]: 'Same person',
  [DependencyRule.DIFFERENT_EMPLOYEE]: 'Different people',
  [DependencyRule.PARALLEL]: 'At the same time',
  [DependencyRule.EARLIER_VISIT]: 'Earlier visit',
};

/** Whether it matters which of the two comes first. */
export const isDirected = (rule: DependencyRule) =>
  rule === DependencyRule.ORDER || rule === DependencyRule.EARLIER_VISIT;

export type Bounds = Pick<
  Dependency,
  'rule' | 'leastGapMinutes' | 'mostGapMinutes' | 'leastHours' | 'mostDays'
>;

/** What stands on a rule's line: short. */
export function boundsText({ rule, leastGapMinutes, mostGapMinutes, leastHours, mostDays }: Bounds): string {
  if (rule === DependencyRule.ORDER) return gapText(leastGapMinutes, mostGapMinutes);
  if (rule === DependencyRule.EARLIER_VISIT) {
    const until = mostDays === undefined ? '' : `up to ${daysText(mostDays)}`;
    const from = leastHours === 0 ? '' : `at least ${hoursText(leastHours)}`;
    return [from, until].filter(Boolean).join(', ') || 'any time before';
  }
  return '';
}

function gapText(least: number, most: number | undefined): string {
  if (most === undefined) return least === 0 ? 'any gap' : `at least ${minutesText(least)} later`;
  if (most === 0) return 'at once';
  if (least === most) return `${minutesText(least)} later`;
  return least === 0
    ? `at most ${minutesText(most)} later`
    : `${minutesText(least)} to ${minutesText(most)} later`;
}

const daysText = (days: number) => (days === 1 ? '1 day' : `${days} days`);

/** "48 hours", "3 days": whole days past two are told as days. */
function hoursText(hours: number): string {
  if (hours > 48 && hours % 24 === 0) return daysText(hours / 24);
  return hours === 1 ? '1 hour' : `${hours} hours`;
}

/** A rule as a sentence, for the table and for those who hear the graph. */
export function ruleSentence(bounds: Bounds, first: string, then: string): string {
  const text = boundsText(bounds);
  switch (bounds.rule) {
    case DependencyRule.ORDER:
      return text === 'any gap' ? `${then} comes after ${first}.` : `${then} comes after ${first}: ${text}.`;
    case DependencyRule.SAME_EMPLOYEE:
      return `One person does both ${first} and ${then}.`;
    case DependencyRule.DIFFERENT_EMPLOYEE:
      return `Two people do ${first} and ${then}.`;
    case DependencyRule.PARALLEL:
      return `${first} and ${then} may take place at the same time.`;
    case DependencyRule.EARLIER_VISIT:
      return `${then} needs an earlier visit with ${first}: ${text === 'any time before' ? text : `${text} before`}.`;
    default:
      return `${first} and ${then} belong together.`;
  }
}

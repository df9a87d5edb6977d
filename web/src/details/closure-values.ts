import type { Span } from '../day/spans';
import { problemOf } from '../team/hours';
import { isDay } from '../time/local-day';
import { daysBetween } from '../time/zoned';

/** As long as a closure may be. */
const MOST_DAYS = 366;

/** What the form of a closure holds. */
export type ClosureValues = {
  firstDate: string;
  lastDate: string;
  open: boolean;
  spans: Span[];
  label: string;
};

export type ClosureProblem = { field: 'firstDate' | 'lastDate' | 'spans'; message: string };

/** What is wrong with a closure before it is sent. */
export function closureProblems({ firstDate, lastDate, open, spans }: ClosureValues): ClosureProblem[] {
  if (!isDay(firstDate)) return [{ field: 'firstDate', message: 'Say on which day it begins.' }];
  if (!isDay(lastDate)) return [{ field: 'lastDate', message: 'Say on which day it ends.' }];
  const days = daysBetween(firstDate, lastDate);
  if (days < 0) return [{ field: 'lastDate', message: 'It ends before it begins.' }];
  if (days > MOST_DAYS) return [{ field: 'lastDate', message: 'At most a year at once.' }];
  const problem = open ? (spans.length === 0 ? 'Say when it is open.' : problemOf(spans)) : undefined;
  return problem ? [{ field: 'spans', message: problem }] : [];
}

import {
  type Candidate,
  type ExplainAvailabilityResponse,
  type Obstacle,
  Obstacle_Kind,
  Obstacle_Part,
  type VisitObstacle,
  VisitObstacle_Kind,
} from '../gen/frontdesk/scheduling/v1/availability_pb';
import { dateAndTime, moment, timeSpan } from '../time/zoned';

/** One rule of the check, and what was found; nothing where it passes. */
export type Checked = { name: string; found: Finding[] };

export type Finding = {
  text: string;
  /** The record behind it, and what kind it is. */
  record: string;
  recordId: string;
};

const VISIT_RULES: readonly [VisitObstacle_Kind, string][] = [
  [VisitObstacle_Kind.TOO_SOON, 'Late enough: it has not passed'],
  [VisitObstacle_Kind.TOO_FAR, 'Early enough: within the booking horizon'],
  [VisitObstacle_Kind.CLOSED, 'The salon is open'],
  [VisitObstacle_Kind.NO_RESOURCE, 'The salon has the chairs, rooms and machines'],
  [VisitObstacle_Kind.NOT_TOGETHER, 'The services fit into one visit'],
  [VisitObstacle_Kind.EARLIER_VISIT, 'The customer had the earlier visit it needs'],
];

const PERSON_RULES: readonly [Obstacle_Kind, string, string][] = [
  [Obstacle_Kind.NOT_SKILLED, 'Does this service', ''],
  [Obstacle_Kind.NOT_WORKING, 'Works then', ''],
  [Obstacle_Kind.OFF, 'Has no time off', 'Time off'],
  [Obstacle_Kind.BLOCKED, 'Is not blocked', 'Block'],
  [Obstacle_Kind.BOOKED, 'Has no other visit', 'Appointment'],
  [Obstacle_Kind.HELD, 'Is not held for another booking', 'Hold'],
  [Obstacle_Kind.BUSY, 'Is free in outside calendars', 'Calendar entry'],
];

/** What a resource can be taken by; it has no skills and no working time. */
const RESOURCE_RULES = PERSON_RULES.filter(([kind]) =>
  [Obstacle_Kind.BOOKED, Obstacle_Kind.HELD].includes(kind),
);

/** What is asked of the visit as a whole, each with what is in its way. */
export function visitRules({ obstacles, timeZone }: ExplainAvailabilityResponse): Checked[] {
  return VISIT_RULES.map(([kind, name]) => ({
    name,
    found: obstacles
      .filter((obstacle) => obstacle.kind === kind)
      .map((obstacle) => ({
        text: visitText(obstacle, timeZone),
        record: kind === VisitObstacle_Kind.CLOSED ? 'Opening exception' : 'Rule',
        recordId: obstacle.recordId,
      })),
  }));
}

/** What is asked of one person, in the same way. */
export function personRules({ obstacles }: Pick<Candidate, 'obstacles'>, zone: string): Checked[] {
  return checked(PERSON_RULES, obstacles, zone);
}

/** What is asked of a chair, a room or a machine. */
export function resourceRules(obstacles: Obstacle[], zone: string): Checked[] {
  return checked(RESOURCE_RULES, obstacles, zone);
}

function checked(rules: typeof PERSON_RULES, obstacles: Obstacle[], zone: string): Checked[] {
  const known = rules.map(([kind, name, record]) => ({
    name,
    found: obstacles
      .filter((obstacle) => obstacle.kind === kind)
      .map((obstacle) => ({ text: obstacleText(obstacle, zone), record, recordId: obstacle.recordId })),
  }));
  const others = obstacles.filter(({ kind }) => !rules.some(([rule]) => rule === kind));
  if (others.length === 0) return known;
  // A kind that came after this page was made is in the way all the same.
  const found = others.map((other) => ({
    text: obstacleText(other, zone),
    record: '',
    recordId: other.recordId,
  }));
  return [...known, { name: 'Nothing else is in the way', found }];
}

const PARTS: Readonly<Record<Obstacle_Part, string>> = {
  [Obstacle_Part.PART_UNSPECIFIED]: '',
  [Obstacle_Part.SERVICE]: '',
  [Obstacle_Part.BUFFER_BEFORE]: 'in the time kept free before',
  [Obstacle_Part.BUFFER_AFTER]: 'in the time kept free after',
};

export function obstacleText({ from, until, part }: Obstacle, zone: string): string {
  return [spanText(moment(from), moment(until), zone), PARTS[part]].filter(Boolean).join(', ');
}

function spanText(from: Date | null, until: Date | null, zone: string): string {
  if (from && until) return timeSpan(from, until, zone);
  if (until) return `until ${dateAndTime(until, zone)}`;
  return from ? `from ${dateAndTime(from, zone)}` : '';
}

export function visitText({ kind, from, until }: VisitObstacle, zone: string): string {
  const [start, end] = [moment(from), moment(until)];
  if (kind === VisitObstacle_Kind.TOO_SOON && end) return `Free from ${dateAndTime(end, zone)}`;
  if (kind === VisitObstacle_Kind.TOO_FAR && start) return `Bookable before ${dateAndTime(start, zone)}`;
  if (kind === VisitObstacle_Kind.CLOSED) return `Closed ${spanText(start, end, zone)}`.trim();
  return '';
}

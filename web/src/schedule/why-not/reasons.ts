import {
  type ExplainAvailabilityResponse,
  type Obstacle,
  Obstacle_Kind,
  type VisitObstacle,
  VisitObstacle_Kind,
} from '../../gen/frontdesk/scheduling/v1/availability_pb';
import { obstacleText, visitText } from '../../schedule-check/rules';

/** What kind of record stands behind a reason; where its page is, the screen knows. */
type RecordKind = 'appointment' | 'block' | 'hours' | 'rule' | 'skill' | 'resources' | 'none';

export type Reason = { text: string; detail: string; record: RecordKind; recordId: string };

/** An employee or a resource that was considered, and every reason against it. */
export type Considered = { id: string; name: string; kind: 'person' | 'resource'; reasons: Reason[] };

const VISIT: Record<VisitObstacle_Kind, [text: string, record: RecordKind]> = {
  [VisitObstacle_Kind.KIND_UNSPECIFIED]: ['Something else is in the way', 'none'],
  [VisitObstacle_Kind.TOO_SOON]: ['It is too soon', 'none'],
  [VisitObstacle_Kind.TOO_FAR]: ['It is too far ahead', 'none'],
  [VisitObstacle_Kind.CLOSED]: ['The salon is closed', 'none'],
  [VisitObstacle_Kind.NO_RESOURCE]: ['The salon has no chair, room or machine for it', 'resources'],
  [VisitObstacle_Kind.NOT_TOGETHER]: ['Its services can’t be done in one visit', 'rule'],
  [VisitObstacle_Kind.EARLIER_VISIT]: ['It needs an earlier visit, such as a patch test', 'rule'],
};

const PERSON: Record<Obstacle_Kind, [text: string, record: RecordKind]> = {
  [Obstacle_Kind.KIND_UNSPECIFIED]: ['Taken', 'none'],
  [Obstacle_Kind.NOT_SKILLED]: ['Does not do this service', 'skill'],
  [Obstacle_Kind.NOT_WORKING]: ['Does not work then', 'hours'],
  [Obstacle_Kind.OFF]: ['Has time off', 'hours'],
  [Obstacle_Kind.BLOCKED]: ['Is blocked', 'block'],
  [Obstacle_Kind.BOOKED]: ['Is booked', 'appointment'],
  [Obstacle_Kind.HELD]: ['Is held for another booking for a few minutes', 'none'],
  [Obstacle_Kind.BUSY]: ['Is busy in another calendar', 'none'],
  [Obstacle_Kind.SUPPOSED]: ['Taken', 'none'],
};

/** The obstacles to the visit itself, with any employee. */
export function visitReasons({ obstacles, timeZone }: ExplainAvailabilityResponse): Reason[] {
  return obstacles.map((obstacle: VisitObstacle) => {
    const [text, record] = VISIT[obstacle.kind] ?? VISIT[VisitObstacle_Kind.KIND_UNSPECIFIED];
    return { text, detail: visitText(obstacle, timeZone), record, recordId: obstacle.recordId };
  });
}

/** All employees and resources that were considered, those with the fewest reasons first. */
export function considered({ items, timeZone }: ExplainAvailabilityResponse): Considered[] {
  const reasonsOf = (obstacles: Obstacle[]) => obstacles.map((obstacle) => reasonOf(obstacle, timeZone));
  const people = items.flatMap(({ candidates }) =>
    candidates.map(
      ({ employeeId, employeeName, obstacles }): Considered => ({
        id: employeeId,
        name: employeeName,
        kind: 'person',
        reasons: reasonsOf(obstacles),
      }),
    ),
  );
  const resources = items.flatMap(({ needs }) =>
    needs
      // One that is free is enough.
      .filter(({ candidates }) => candidates.every(({ obstacles }) => obstacles.length > 0))
      .flatMap(({ candidates }) =>
        candidates.map(
          ({ resourceId, resourceName, obstacles }): Considered => ({
            id: resourceId,
            name: resourceName,
            kind: 'resource',
            reasons: reasonsOf(obstacles),
          }),
        ),
      ),
  );
  return [...people.sort((one, other) => one.reasons.length - other.reasons.length), ...resources];
}

function reasonOf(obstacle: Obstacle, zone: string): Reason {
  const [text, record] = PERSON[obstacle.kind] ?? PERSON[Obstacle_Kind.KIND_UNSPECIFIED];
  return { text, detail: obstacleText(obstacle, zone), record, recordId: obstacle.recordId };
}

import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import {
  ExplainAvailabilityResponseSchema,
  Obstacle_Kind,
  Obstacle_Part,
  VisitObstacle_Kind,
} from '../../gen/frontdesk/scheduling/v1/availability_pb';
import { considered, visitReasons } from './reasons';

const at = (clock: string) => timestampFromDate(new Date(`2026-06-02T${clock}:00Z`));

const answer = create(ExplainAvailabilityResponseSchema, {
  timeZone: 'Europe/London',
  obstacles: [{ kind: VisitObstacle_Kind.EARLIER_VISIT, recordId: 'patch' }],
  items: [
    {
      serviceId: 'cut',
      candidates: [
        {
          employeeId: 'ana',
          employeeName: 'Ana',
          obstacles: [
            { kind: Obstacle_Kind.OFF, from: at('09:00'), until: at('10:00'), recordId: 'off' },
            {
              kind: Obstacle_Kind.BOOKED,
              part: Obstacle_Part.BUFFER_AFTER,
              from: at('09:30'),
              until: at('10:00'),
              recordId: 'visit',
            },
          ],
        },
        { employeeId: 'ben', employeeName: 'Ben' },
      ],
      needs: [
        {
          kind: 'chair',
          candidates: [
            { resourceId: 'one', resourceName: 'Chair 1' },
            { resourceId: 'two', resourceName: 'Chair 2', obstacles: [{ kind: Obstacle_Kind.BOOKED }] },
          ],
        },
        {
          kind: 'basin',
          candidates: [
            {
              resourceId: 'basin',
              resourceName: 'Basin',
              obstacles: [{ kind: Obstacle_Kind.BOOKED, recordId: 'other' }],
            },
          ],
        },
      ],
    },
  ],
});

describe('why a time can’t be booked', () => {
  it('says what is in the way of the visit, with the record behind it', () => {
    expect(visitReasons(answer)).toEqual([
      {
        text: 'It needs an earlier visit, such as a patch test',
        detail: '',
        record: 'rule',
        recordId: 'patch',
      },
    ]);
  });

  it('gives the reasons of every employee, those with the fewest first', () => {
    const [ben, ana] = considered(answer);
    expect(ben).toMatchObject({ name: 'Ben', reasons: [] });
    expect(ana?.reasons).toEqual([
      { text: 'Has time off', detail: '10:00 – 11:00', record: 'hours', recordId: 'off' },
      {
        text: 'Is booked',
        detail: '10:30 – 11:00, in the time kept free after',
        record: 'appointment',
        recordId: 'visit',
      },
    ]);
  });

  it('names chairs only where none of their kind is free', () => {
    expect(considered(answer).filter(({ kind }) => kind === 'resource')).toMatchObject([
      { name: 'Basin', reasons: [{ record: 'appointment', recordId: 'other' }] },
    ]);
  });
});

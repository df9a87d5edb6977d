import { describe, expect, it } from 'vitest';
import { columnsOf, type ScheduleData } from '../../day/columns';
import { DayUnavailableReason } from '../../gen/frontdesk/scheduling/v1/day_pb';
import { TimeOffKind } from '../../gen/frontdesk/scheduling/v1/time_off_pb';
import { column, dayOf, TUESDAY, unavailable, usual, visit, ZONE } from '../../testing/day-answer';
import { instantOf } from '../../time/local';
import { toBeMoved } from './to-be-moved';

const { BLOCKED, TIME_OFF, NOT_WORKING } = DayUnavailableReason;
const NIGHT_BEFORE = instantOf(TUESDAY, 0, ZONE);

const stranded = (id: string, from: number, to: number) =>
  visit(id, [['colour', 'ana', from, to, { isStranded: true }]]);

const moved = (data: Partial<ScheduleData>, now = NIGHT_BEFORE) =>
  toBeMoved(columnsOf(dayOf(data), ''), now).map(({ card, why }) => [card.appointment.id, why]);

describe('what has to be moved', () => {
  it('is stranded, and says why', () => {
    const sick = unavailable(TIME_OFF, 600, 720, { timeOffKind: TimeOffKind.SICK });
    const columns = [column('ana', { unavailable: [...usual, unavailable(BLOCKED, 600, 720), sick] })];
    const visits = [
      stranded('late', 1060, 1090),
      stranded('sick', 590, 750),
      visit('fine', [['cut', 'ana', 800, 860]]),
    ];
    expect(moved({ visits, columns })).toEqual([
      ['sick', 'Sick'],
      ['late', 'Closed'],
    ]);
    const away = [column('ana', { unavailable: [unavailable(NOT_WORKING, 540, 1080)] })];
    expect(moved({ visits: [stranded('away', 800, 860)], columns: away })).toEqual([['away', 'Not working']]);
  });

  it('is not over', () => {
    const visits = [stranded('over', 480, 520), stranded('ahead', 1080, 1100)];
    expect(moved({ visits }, instantOf(TUESDAY, 520, ZONE))).toEqual([['ahead', 'Closed']]);
  });

  it('is listed once, by when it begins, however many parts it has', () => {
    const parts = visit('parts', [
      ['cut', 'ana', 1080, 1100, { isStranded: true }],
      ['dry', 'ana', 1120, 1140, { isStranded: true }],
    ]);
    expect(moved({ visits: [stranded('last', 1150, 1170), parts] })).toEqual([
      ['parts', 'Closed'],
      ['last', 'Closed'],
    ]);
  });
});

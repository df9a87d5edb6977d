import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { AppointmentSchema, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { SegmentKind, ServiceSchema } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { WeeklyScheduleSchema, WeeklySpanSchema } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { TimeOffKind, TimeOffSchema } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { instantOf } from '../time/local';
import { columnsOf, type ScheduleData } from './columns';
import { toBeMoved } from './outside-hours';

const ZONE = 'Europe/London';
const TUESDAY = '2026-11-24';
const at = (minute: number) => timestampFromDate(instantOf(TUESDAY, minute, ZONE));
const nine = 540;
const five = 1020;
const NIGHT_BEFORE = instantOf(TUESDAY, 0, ZONE);

const week = [create(WeeklySpanSchema, { weekday: 2, fromMinute: nine, toMinute: five })];

function visit(id: string, from: number, to: number, more: MessageInitShape<typeof AppointmentSchema> = {}) {
  const span = { startsAt: at(from), endsAt: at(to) };
  return create(AppointmentSchema, {
    id,
    state: AppointmentState.BOOKED,
    ...span,
    items: [{ serviceId: 'colour', employeeId: 'ana', ...span }],
    ...more,
  });
}

function moved(data: Partial<ScheduleData>, now = NIGHT_BEFORE) {
  const columns = columnsOf(
    {
      zone: ZONE,
      employees: [{ id: 'ana', name: 'Ana' }],
      catalogue: new Map(),
      visits: [],
      openingWeek: week,
      exceptions: [],
      timeOff: [],
      blocks: [],
      weeks: new Map([['ana', [create(WeeklyScheduleSchema, { spans: week })]]]),
      dayHours: new Map(),
      ...data,
    },
    [TUESDAY],
    '',
  );
  return toBeMoved(columns, now).map(({ card, why }) => [card.appointment.id, why]);
}

describe('what has to be moved', () => {
  it('is booked while its employee is not there, and says why', () => {
    const sick = create(TimeOffSchema, {
      employeeId: 'ana',
      kind: TimeOffKind.SICK,
      startsAt: at(600),
      endsAt: at(720),
    });
    const visits = [visit('late', 1000, 1040), visit('sick', 690, 750), visit('fine', 800, 860)];
    expect(moved({ visits, timeOff: [sick] })).toEqual([
      ['sick', 'Sick'],
      ['late', 'Closed'],
    ]);
    const away = new Map([['ana', []]]);
    expect(moved({ visits: [visit('fine', 800, 860)], weeks: away })).toEqual([['fine', 'Not working']]);
  });

  it('is neither over, nor squeezed in on purpose, nor begun or cancelled', () => {
    const visits = [
      visit('over', 480, 520),
      visit('ahead', 1030, 1050),
      visit('squeezed', 1030, 1050, { squeezedIn: true }),
      visit('under way', 1030, 1050, { state: AppointmentState.IN_SERVICE }),
      visit('cancelled', 1030, 1050, { state: AppointmentState.CANCELLED }),
    ];
    expect(moved({ visits }, instantOf(TUESDAY, 530, ZONE))).toEqual([['ahead', 'Closed']]);
  });

  it('is not what only waits while its colour works', () => {
    const colour = create(ServiceSchema, {
      id: 'colour',
      segments: [
        { kind: SegmentKind.ACTIVE, minutes: 20 },
        { kind: SegmentKind.PROCESSING, minutes: 40 },
      ],
    });
    const visits = [visit('colour', 1000, 1060)];
    expect(moved({ visits, catalogue: new Map([['colour', colour]]) })).toEqual([]);
    expect(moved({ visits })).toEqual([['colour', 'Closed']]);
  });

  it('is listed once, by when it begins, however many parts it has', () => {
    const parts = visit('parts', 1020, 1100, {
      items: [
        { serviceId: 'cut', employeeId: 'ana', startsAt: at(1020), endsAt: at(1040) },
        { serviceId: 'dry', employeeId: 'ana', startsAt: at(1080), endsAt: at(1100) },
      ],
    });
    expect(moved({ visits: [visit('last', 1110, 1130), parts] })).toEqual([
      ['parts', 'Closed'],
      ['last', 'Closed'],
    ]);
  });
});

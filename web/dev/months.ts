import type { MessageInitShape } from '@bufbuild/protobuf';
import { minutesOf, spansOf, without } from '../src/day/spans';
import {
  DayUnavailableReason,
  type DayUnavailableSchema,
  type GetMonthResponseSchema,
} from '../src/gen/frontdesk/scheduling/v1/day_pb';
import { dayAfter } from '../src/time/local';
import { daysOf, type Salon } from './days';

const { BLOCKED, BUSY } = DayUnavailableReason;

type Unavailable = MessageInitShape<typeof DayUnavailableSchema>;

const spans = (list: readonly { fromMinute?: number; toMinute?: number }[] = []) =>
  spansOf(list.map(({ fromMinute = 0, toMinute = 0 }) => ({ fromMinute, toMinute })));

/** How full the days of a month are. */
export function monthOf(
  salon: Salon,
  { month, employeeId }: { month: string; employeeId: string },
  role: string,
): MessageInitShape<typeof GetMonthResponseSchema> {
  const days = [];
  for (let date = `${month}-01`; date.startsWith(month); date = dayAfter(date, 1)) {
    const {
      days: openings,
      columns,
      visits,
    } = daysOf(salon, { firstDate: date, lastDate: date, employeeId }, role);
    const bookable = (columns ?? []).map(({ working, unavailable }) => {
      const taken = (unavailable ?? []).filter(
        ({ reason }: Unavailable) => reason === BLOCKED || reason === BUSY,
      );
      return minutesOf(without(spans(working), spans(taken)));
    });
    const seconds = (visits ?? []).map(({ appointment }) => {
      const { startsAt, endsAt } = appointment ?? {};
      return Number(endsAt?.seconds ?? 0n) - Number(startsAt?.seconds ?? 0n);
    });
    days.push({
      opening: { date, ...openings?.[0] },
      bookableMinutes: bookable.reduce((sum, minutes) => sum + minutes, 0),
      bookedMinutes: seconds.reduce((sum, length) => sum + length / 60, 0),
      visits: seconds.length,
    });
  }
  return { timeZone: 'Europe/London', days };
}

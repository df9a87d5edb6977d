import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it, vi } from 'vitest';
import {
  type Appointment,
  AppointmentSchema,
  AppointmentState,
} from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { moment } from '../time/zoned';
import { lastVisitOf, nextVisitOf, type ReadPage } from './customer-visits';

const NOW = new Date('2026-11-24T10:00Z');
const DAY_MS = 86_400_000;

const visit = (id: string, days: number, customerId: string, state = AppointmentState.BOOKED) =>
  create(AppointmentSchema, {
    id,
    customerId,
    state,
    startsAt: timestampFromDate(new Date(NOW.getTime() + days * DAY_MS)),
  });

/** A salon that lists its visits by start, so many a page. */
function salon(visits: Appointment[], pageSize = 2) {
  return vi.fn<ReadPage>(async (from, to, pageToken) => {
    const within = visits.filter(({ startsAt }) => {
      const at = moment(startsAt) as Date;
      return at >= from && at < to;
    });
    const first = Number(pageToken || 0);
    const end = first + pageSize;
    return {
      appointments: within.slice(first, end),
      nextPageToken: end < within.length ? String(end) : '',
    };
  });
}

const idOf = (found: Awaited<ReturnType<typeof nextVisitOf>>) =>
  'appointment' in found ? found.appointment.id : found.lookedUpTo;

describe('a customer’s next visit', () => {
  it('is the first to come, on whatever page, and none that was cancelled', async () => {
    const read = salon([
      visit('before', -1, 'ada'),
      visit('other', 1, 'ben'),
      visit('cancelled', 2, 'ada', AppointmentState.CANCELLED),
      visit('next', 3, 'ada'),
      visit('later', 4, 'ada'),
    ]);
    expect(idOf(await nextVisitOf('ada', NOW, read))).toBe('next');
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('is none as far as was looked', async () => {
    const end = new Date(NOW.getTime() + 62 * DAY_MS);
    expect(idOf(await nextVisitOf('ada', NOW, salon([])))).toEqual(end);
    const many = Array.from({ length: 40 }, (_, index) => visit(`v${index}`, 1 + index / 10, 'ben'));
    const read = salon(many);
    expect(idOf(await nextVisitOf('ada', NOW, read))).toEqual(moment(many[15]?.startsAt));
    expect(read).toHaveBeenCalledTimes(8);
  });
});

describe('the visit a customer had last', () => {
  it('is the latest, of the last week that has one', async () => {
    const read = salon([
      visit('long ago', -20, 'ada'),
      visit('first', -12, 'ada'),
      visit('other', -11, 'ben'),
      visit('second', -10, 'ada', AppointmentState.COMPLETED),
      visit('to come', 1, 'ada'),
    ]);
    expect(idOf(await lastVisitOf('ada', NOW, read))).toBe('second');
  });

  it('is none as far back as was looked', async () => {
    const read = salon([visit('too long ago', -57, 'ada')]);
    expect(idOf(await lastVisitOf('ada', NOW, read))).toEqual(new Date(NOW.getTime() - 56 * DAY_MS));
    // A week that could not be read to its end counts as not read.
    const many = Array.from({ length: 40 }, (_, index) => visit(`v${index}`, -6 + index / 10, 'ben'));
    expect(
      idOf(await lastVisitOf('ada', NOW, salon([...many.slice(0, -1), visit('x', -0.1, 'ada')]))),
    ).toEqual(NOW);
  });
});

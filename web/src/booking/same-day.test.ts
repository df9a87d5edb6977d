import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { AppointmentSchema } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { sameDayVisits } from './same-day';

const at = (text: string) => timestampFromDate(new Date(text));
const visit = (id: string, from: string, to: string) =>
  create(AppointmentSchema, { id, startsAt: at(from), endsAt: at(to) });

it('names visits of the day in the salon’s zone, and marks those at the same time', () => {
  const offer = { startsAt: at('2026-07-01T08:30Z'), endsAt: at('2026-07-01T09:30Z') };
  const visits = [
    visit('just before', '2026-07-01T07:30Z', '2026-07-01T08:30Z'),
    visit('into it', '2026-07-01T09:00Z', '2026-07-01T10:00Z'),
    // After midnight in London, in summer.
    visit('next day', '2026-07-01T23:15Z', '2026-07-01T23:45Z'),
  ];
  const named = sameDayVisits(visits, offer, 'Europe/London');
  expect(named.map(({ visit: { id }, meanwhile }) => [id, meanwhile])).toEqual([
    ['just before', false],
    ['into it', true],
  ]);
});

import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { TimeOffSchema } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { whenText } from './time-off-words';

const hours = (from: string, to: string) =>
  create(TimeOffSchema, {
    startsAt: timestampFromDate(new Date(from)),
    endsAt: timestampFromDate(new Date(to)),
  });

it('whole days are days, one of them only once', () => {
  const days = create(TimeOffSchema, { firstDate: '2026-12-24', lastDate: '2027-01-02' });
  expect(whenText(days, 'Europe/London')).toBe('24 Dec 2026 – 2 Jan 2027');
  expect(whenText({ ...days, lastDate: '2026-12-24' }, 'Europe/London')).toBe('24 Dec 2026');
  expect(whenText({ ...days, lastDate: '2026-12-27' }, 'Europe/London')).toBe('24 – 27 Dec 2026');
  expect(whenText({ ...days, firstDate: '2026-11-30', lastDate: '2026-12-01' }, 'UTC')).toBe(
    '30 Nov – 1 Dec 2026',
  );
});

it('hours of a day name it once, by the salon’s clock', () => {
  const afternoon = hours('2026-11-24T13:00Z', '2026-11-24T17:00Z');
  expect(whenText(afternoon, 'Europe/London')).toBe('24 Nov 2026, 13:00 – 17:00');
  expect(whenText(afternoon, 'Asia/Tokyo')).toBe('24 Nov 2026, 22:00 – 25 Nov 2026, 2:00');
});

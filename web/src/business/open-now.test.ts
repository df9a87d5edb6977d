import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { AppointmentStepSchema, DelayWindowSchema } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { ApiError } from '../http/errors';
import { dayName, timeOfDay } from '../time/zoned';
import { isDelayable, isOpen, untimelyText } from './open-now';

const AT = new Date('2026-11-24T09:00:00Z');
const before = new Date(AT.getTime() - 1);
const at = timestampFromDate(AT);

it('is open from its first instant on, until its last', () => {
  const noShow = create(AppointmentStepSchema, { from: at });
  expect([before, AT].map((now) => isOpen(noShow, now))).toEqual([false, true]);
  const back = create(AppointmentStepSchema, { until: at });
  expect([before, AT].map((now) => isOpen(back, now))).toEqual([true, false]);
  expect(isOpen(create(AppointmentStepSchema), AT)).toBe(true);
});

it('has a visit reported late within its window alone', () => {
  const window = create(DelayWindowSchema, {
    from: at,
    until: timestampFromDate(new Date(AT.getTime() + 60_000)),
  });
  const times = [before, AT, new Date(AT.getTime() + 60_000)];
  expect(times.map((now) => isDelayable(window, now))).toEqual([false, true, false]);
  expect(isDelayable(undefined, AT)).toBe(false);
});

it('says from when, or until when, by the salon’s clock', () => {
  const refused = (reason: string, metadata: Record<string, string>) =>
    new ApiError('', { kind: 'refused', status: 400, reason, metadata, violations: [] });
  const [now, zone] = [new Date(), 'Europe/London'];
  const today = timeOfDay(now, zone);
  expect(untimelyText(refused('NOT_YET', { from: now.toISOString() }), zone)).toBe(
    `It is too early: possible from ${today}.`,
  );
  const later = new Date(now.getTime() + 17 * 86_400_000);
  expect(untimelyText(refused('NO_LONGER', { until: later.toISOString() }), zone)).toBe(
    `It is too late: possible until ${timeOfDay(later, zone)}, ${dayName(later, zone, now)}.`,
  );
  expect(untimelyText(refused('NOT_YET', {}), zone)).toBeUndefined();
  expect(untimelyText(refused('WRONG_STATE', { from: now.toISOString() }), zone)).toBeUndefined();
  expect(untimelyText(new Error('x'), zone)).toBeUndefined();
});

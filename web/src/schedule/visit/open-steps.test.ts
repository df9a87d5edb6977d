import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { AppointmentStepSchema } from '../../gen/frontdesk/scheduling/v1/appointment_pb';
import { isOpen } from './open-steps';

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

import { create } from '@bufbuild/protobuf';
import { expect, it, vi } from 'vitest';
import { AppointmentSchema, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { GetAppointmentResponseSchema } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';

vi.mock('../session/current', () => ({ api: vi.fn() }));

const { queries } = await import('../api/query-client');
const { appointmentQuery, showChanged } = await import('./queries');

const { BOOKED, CONFIRMED } = AppointmentState;
const visit = (state: AppointmentState, version: bigint) =>
  create(AppointmentSchema, { id: 'v1', state, version });
const { queryKey } = appointmentQuery('b1', 'v1');
const shown = () => queries.getQueryData(queryKey)?.appointment?.state;

it('a changed visit is shown as it was answered, and never as it was before', () => {
  const read = create(GetAppointmentResponseSchema, {
    timeZone: 'Europe/London',
    appointment: visit(BOOKED, 3n),
  });
  queries.setQueryData(queryKey, read);
  showChanged('b1', visit(CONFIRMED, 4n));
  expect([shown(), queries.getQueryData(queryKey)?.timeZone]).toEqual([CONFIRMED, 'Europe/London']);
  showChanged('b1', visit(BOOKED, 3n));
  expect(shown()).toBe(CONFIRMED);
});

it('a visit that was never read is not filed in part', () => {
  queries.clear();
  showChanged('b1', visit(CONFIRMED, 4n));
  expect(queries.getQueryData(queryKey)).toBeUndefined();
});

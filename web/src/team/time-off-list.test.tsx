// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { ListStrandedAppointmentsResponseSchema } from '../gen/frontdesk/scheduling/v1/day_pb';
import { ListTimeOffResponseSchema, TimeOffState } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount, refused } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { onEnd: () => () => undefined },
  tabStorage: undefined,
}));
vi.mock('./use-team-paths', () => ({
  useTeamPaths: () => ({ team: '/team', employee: (id: string) => `/team/${id}` }),
  scheduleOn: () => '/schedule',
}));

const { TimeOffList } = await import('./time-off-list');

const at = (clock: string) => timestampFromDate(new Date(`2026-11-24T${clock}Z`));
const timeOff = [
  {
    id: 't1',
    employeeId: 'mia',
    employeeName: 'Mia Larsen',
    state: TimeOffState.APPROVED,
    startsAt: at('09:00'),
    endsAt: at('18:00'),
    appointments: [{ appointmentId: 'v1', customerName: 'Priya Nair', startsAt: at('10:00') }],
  },
];

let unreadable: Error | undefined;

afterEach(cleanup);

it('lists visits in time off once “To be moved” can no longer be read', async () => {
  fillJsdomGaps();
  api.mockImplementation(async ({ path }) => {
    if (path.includes('time-off'))
      return toJson(ListTimeOffResponseSchema, create(ListTimeOffResponseSchema, { timeOff }));
    if (unreadable) throw unreadable;
    const schema = ListStrandedAppointmentsResponseSchema;
    return toJson(schema, create(schema, { stranded: [{ appointmentId: 'v1' }] }));
  });
  const context = { businessId: 'b', zone: 'Europe/London', role: 'EMPLOYEE', me: '' };
  const list = <TimeOffList {...context} today="2026-11-24" employeeId="mia" people={[]} />;
  const { client } = mount([{ path: '/', element: list }], '/');
  await screen.findByText(/listed under “To be moved”/);
  expect(screen.queryByText('Priya Nair')).toBeNull();
  unreadable = refused(400, 'FAILED');
  await act(() => client.invalidateQueries());
  await screen.findByText('Priya Nair');
});

// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TimeOffSchema, TimeOffState } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount } from '../testing/mount';

vi.mock('../session/current', () => ({
  api: vi.fn(),
  session: { onEnd: () => () => undefined },
  tabStorage: undefined,
}));

vi.mock('./use-team-paths', () => ({
  useTeamPaths: () => ({ team: '/team', employee: (id: string) => `/team/${id}` }),
  scheduleOn: () => '/schedule',
}));

const { TimeOffRow } = await import('./time-off-row');

const at = (clock: string) => timestampFromDate(new Date(`2026-11-24T${clock}Z`));
const visit = (appointmentId: string, customerName: string) => ({
  appointmentId,
  customerName,
  startsAt: at('10:00'),
});
const sick = create(TimeOffSchema, {
  employeeId: 'mia',
  employeeName: 'Mia Larsen',
  state: TimeOffState.APPROVED,
  startsAt: at('09:00'),
  endsAt: at('18:00'),
  appointments: [visit('to-be-moved', 'Priya Nair'), visit('told', 'Ben Carter')],
});

function show(listed: ReadonlySet<string> | undefined) {
  const context = { businessId: 'b', zone: 'Europe/London', role: 'EMPLOYEE', me: '' };
  const row = <TimeOffRow {...context} timeOff={sick} named={false} listed={listed} />;
  mount([{ path: '/', element: row }], '/');
}

beforeEach(fillJsdomGaps);
afterEach(cleanup);

it('lists each visit of its time once on the page of its employee', async () => {
  show(new Set(['to-be-moved']));
  await screen.findByText('2 visits are still booked in this time, 1 of them listed under “To be moved”.');
  expect(screen.queryByText('Priya Nair')).toBeNull();
  screen.getByText('Ben Carter');
});

it('lists all of them where the page lists none', async () => {
  show(new Set());
  await screen.findByText('Priya Nair');
  screen.getByText('Ben Carter');
});

it('lists none before it is known which the page lists', async () => {
  show(undefined);
  await screen.findByText('Approved');
  expect(screen.queryByRole('list')).toBeNull();
});

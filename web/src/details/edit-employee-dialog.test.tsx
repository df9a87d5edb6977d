// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { ListAppointmentsResponseSchema } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { EmployeeSchema } from '../gen/frontdesk/tenancy/v1/employee_pb';
import type { Outgoing } from '../http/transport';
import { deferred } from '../testing/fake-clock';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork, mount } from '../testing/mount';
import { dayAfter } from '../time/local';
import { dayKey } from '../time/zoned';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { EditEmployeeDialog } = await import('./edit-employee-dialog');

const DAY_MS = 86_400_000;
const startsAt = new Date(Date.now() + 40 * DAY_MS);
const today = dayKey(new Date(), 'UTC');

const visit = {
  id: 'v1',
  customerName: 'Ada',
  state: AppointmentState.BOOKED,
  startsAt: timestampFromDate(startsAt),
  items: [
    {
      employeeId: 'mia',
      startsAt: timestampFromDate(startsAt),
      endsAt: timestampFromDate(new Date(startsAt.getTime() + 3_600_000)),
    },
  ],
};

const saved = () => api.mock.calls.map(([request]) => request).filter(({ verb }) => verb !== 'GET');

function leave(lastDay: string) {
  fireEvent.change(screen.getByLabelText('Last day (optional)'), { target: { value: lastDay } });
}

/** Reads are held back until the test lets them through. */
let reads = deferred<void>();

beforeEach(() => {
  dialogsWork();
  fillJsdomGaps();
  reads = deferred<void>();
  api.mockReset().mockImplementation(async ({ path, query }) => {
    if (path.endsWith('/booking-policy')) return { policy: { horizonDays: 90 } };
    if (!path.endsWith('/appointments')) return {};
    await reads.promise;
    const [from, to] = [query?.get('from'), query?.get('to')].map((at) => new Date(at ?? ''));
    const appointments = from && to && from <= startsAt && startsAt < to ? [visit] : [];
    const schema = ListAppointmentsResponseSchema;
    return toJson(schema, create(schema, { appointments }));
  });
  const employee = create(EmployeeSchema, { id: 'mia', name: 'Mia', version: 1n });
  const dialog = (
    <EditEmployeeDialog businessId="b1" zone="UTC" employee={employee} onClose={() => undefined} />
  );
  mount([{ path: '/', element: dialog }], '/');
});
afterEach(cleanup);

it('a last day shows the visits after it before it is saved', async () => {
  await screen.findByLabelText('Name');
  leave(dayAfter(today, 10));
  await screen.findByText('Looking who is booked…');
  fireEvent.submit(screen.getByLabelText('Name').closest('form') as HTMLFormElement);
  reads.resolve();
  await screen.findByText(/^1 visit is booked after that day/);
  expect(saved()).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Save anyway' }));
  await waitFor(() => expect(saved()[0]?.body).toMatchObject({ lastDay: dayAfter(today, 10) }));
});

it('a last day after which nothing is booked is saved at once', async () => {
  reads.resolve();
  await screen.findByLabelText('Name');
  leave(dayAfter(today, 50));
  await screen.findByText('No visits are booked after that day.');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(saved()).toHaveLength(1));
});

it('the visits are read as far as the salon is booked, once for all dates that are tried', async () => {
  const asked = () => api.mock.calls.filter(([{ path }]) => path.endsWith('/appointments'));
  reads.resolve();
  await screen.findByLabelText('Name');
  leave('0202-06-01');
  leave(dayAfter(today, 10));
  await screen.findByText(/^1 visit is booked after that day/);
  const first = asked().length;
  expect(first).toBe(2);
  leave(dayAfter(today, 20));
  await screen.findByText('Looking who is booked…');
  await screen.findByText(/^1 visit is booked after that day/);
  leave(dayAfter(today, 50));
  await screen.findByText('No visits are booked after that day.');
  const ends = asked().map(([{ query }]) => new Date(query?.get('to') ?? '').getTime());
  expect(Math.max(...ends)).toBeLessThanOrEqual(Date.now() + 92 * DAY_MS);
  expect(new Set(asked().map(([{ query }]) => `${query?.get('from')}`)).size).toBe(first);
});

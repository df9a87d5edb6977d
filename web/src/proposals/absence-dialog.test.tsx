// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GetMeResponseSchema } from '../gen/frontdesk/auth/v1/account_pb';
import { GetOpeningHoursResponseSchema } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import {
  ApproveTimeOffResponseSchema,
  RequestTimeOffResponseSchema,
} from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { ListEmployeesResponseSchema } from '../gen/frontdesk/tenancy/v1/employee_pb';
import type { Outgoing } from '../http/transport';
import { deferred } from '../testing/fake-clock';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork, mount, refused } from '../testing/mount';
import { toasts } from '../ui/toasts';

const BUSINESS = '01900000-0000-7000-8000-000000000001';
const BASE = `/v1/businesses/${BUSINESS}`;

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
const user = vi.hoisted(() => ({
  email: 'tom@demo.test',
  role: 'EMPLOYEE',
  businessIds: ['01900000-0000-7000-8000-000000000001'],
}));
vi.mock('../session/current', () => ({
  api,
  session: { state: { user }, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { AbsenceDialog } = await import('./absence-dialog');

const employees = [
  { id: 'tom', name: 'Tom', userId: 'u-tom' },
  { id: 'mia', name: 'Mia', userId: 'u-mia' },
];

function open(role: string) {
  user.role = role;
  mount(
    [
      {
        path: '/',
        element: <AbsenceDialog businessId={BUSINESS} zone="Europe/London" onClose={() => undefined} />,
      },
    ],
    '/',
  );
}

const names = async () => {
  const who = await screen.findByLabelText('Employee');
  return within(who)
    .getAllByRole('option', { hidden: true })
    .map(({ textContent }) => textContent);
};

/** What the server says to each step of time off. */
const approve = vi.fn<(request: Outgoing) => unknown>();
const withdraw = vi.fn<(request: Outgoing) => unknown>();

const stranding = (count = 1) =>
  toJson(
    ApproveTimeOffResponseSchema,
    create(ApproveTimeOffResponseSchema, {
      stranded: Array.from({ length: count }, (_, index) => ({
        appointmentId: `a${index}`,
        customerName: 'Ada',
      })),
    }),
  );

/** The requests for time off that are still open. */
const left = () => {
  const sent = api.mock.calls.map(([{ path }]) => path);
  const made = sent.filter((path) => path === `${BASE}/time-off`).map((_, index) => `off-${index + 1}`);
  return made.filter((id) => !sent.includes(`${BASE}/time-off/${id}:withdraw`));
};

async function save() {
  fireEvent.click(await screen.findByText('Time off'));
  fireEvent.change(await screen.findByLabelText('Employee'), { target: { value: 'mia' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
}

beforeEach(() => {
  dialogsWork();
  fillJsdomGaps();
  api.mockReset().mockImplementation(async (request) => {
    const { path } = request;
    if (path === `${BASE}/employees`)
      return toJson(ListEmployeesResponseSchema, create(ListEmployeesResponseSchema, { employees }));
    if (path.endsWith('/me'))
      return toJson(GetMeResponseSchema, create(GetMeResponseSchema, { id: 'u-tom' }));
    if (path === `${BASE}/time-off`) {
      const made = api.mock.calls.filter(([one]) => one.path === path).length;
      const timeOff = { id: `off-${made}` };
      return toJson(RequestTimeOffResponseSchema, create(RequestTimeOffResponseSchema, { timeOff }));
    }
    if (path.endsWith(':approve')) return approve(request);
    if (path.endsWith(':withdraw')) return withdraw(request);
    return {};
  });
  approve.mockReset().mockReturnValue({});
  withdraw.mockReset().mockReturnValue({});
  toasts.clear();
});
afterEach(cleanup);

describe('an absence', () => {
  it('of a colleague is for a manager to report', async () => {
    open('MANAGER');
    await waitFor(async () => expect(await names()).toEqual(['Choose…', 'Tom', 'Mia']));
  });

  it('is reported by an employee of no one else', async () => {
    open('EMPLOYEE');
    await waitFor(async () => expect(await names()).toEqual(['Tom']));
    fireEvent.click(screen.getByRole('button', { name: 'Report' }));
    await waitFor(() =>
      expect(api.mock.calls.map(([request]) => request.body)).toContainEqual(
        expect.objectContaining({ employeeId: 'tom' }),
      ),
    );
  });
});

describe('time off that is not saved', () => {
  it('leaves no request behind where the server refuses it, however often it is tried', async () => {
    approve.mockImplementation(() => {
      throw refused(409, 'OVERLAPS');
    });
    open('MANAGER');
    await save();
    await screen.findByText('There is something on these dates already.');
    await waitFor(() => expect(left()).toEqual([]));
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(approve).toHaveBeenCalledTimes(2));
    await waitFor(() => expect(left()).toEqual([]));
  });

  it('leaves none where the dialog goes away with the question open', async () => {
    approve.mockImplementation(() => stranding());
    open('MANAGER');
    await save();
    await screen.findByText(/^1 customer is booked then/);
    expect(left()).toEqual(['off-1']);
    cleanup();
    await waitFor(() => expect(left()).toEqual([]));
  });

  it('leaves none where the dialog goes away while it is being requested', async () => {
    const requested = deferred<void>();
    const answer = api.getMockImplementation();
    api.mockImplementation(async (request) => {
      if (request.path === `${BASE}/time-off`) await requested.promise;
      return answer?.(request);
    });
    open('MANAGER');
    await save();
    await waitFor(() => expect(left()).toEqual(['off-1']));
    cleanup();
    requested.resolve();
    await waitFor(() => expect(left()).toEqual([]));
    expect(approve).not.toHaveBeenCalled();
  });

  it('says so where its request can’t be withdrawn', async () => {
    approve.mockImplementation(() => stranding());
    withdraw.mockImplementation(() => {
      throw refused(503, 'UNAVAILABLE');
    });
    open('MANAGER');
    await save();
    await screen.findByText(/^1 customer is booked then/);
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() =>
      expect(toasts.list.map(({ text }) => text)).toEqual([
        expect.stringMatching(/^The request for time off waits in the inbox/),
      ]),
    );
    // The end of the dialog tries again, which is not to reach into the next test.
    withdraw.mockReturnValue({});
    cleanup();
    await waitFor(() => expect(withdraw).toHaveLastReturnedWith({}));
  });
});

it('time off that is saved keeps its request', async () => {
  open('MANAGER');
  await save();
  await waitFor(() => expect(approve).toHaveBeenCalledTimes(2));
  await waitFor(() => expect(toasts.list[0]?.text).toMatch(/^Mia has time off/));
  cleanup();
  expect(withdraw).not.toHaveBeenCalled();
});

it('a list of customers that was cut is no count of them', async () => {
  approve.mockImplementation(() => stranding(200));
  open('MANAGER');
  await save();
  await screen.findByText(/^At least 200 customers are booked then/);
});

it('a salon that closes early tomorrow starts from its usual hours, and names no employee', async () => {
  const answer = api.getMockImplementation();
  const spans = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, fromMinute: 600, toMinute: 1140 }));
  api.mockImplementation(async (request) =>
    request.path === `${BASE}/opening-hours`
      ? toJson(GetOpeningHoursResponseSchema, create(GetOpeningHoursResponseSchema, { spans }))
      : answer?.(request),
  );
  open('MANAGER');
  await waitFor(() => expect(api.mock.calls.map(([{ path }]) => path)).toContain(`${BASE}/opening-hours`));
  fireEvent.click(await screen.findByText('Sick'));
  fireEvent.click(screen.getByText('Other salon hours'));
  const until = screen.getByLabelText<HTMLInputElement>('Until');
  expect([screen.getByLabelText<HTMLInputElement>('From').value, until.value]).toEqual(['10:00', '19:00']);
  expect(screen.queryByLabelText('Employee')).toBeNull();
  fireEvent.change(until, { target: { value: '15:00' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(toasts.list[0]?.text).toMatch(/^Changed the salon’s hours, /));
  const saved = api.mock.calls
    .map(([{ body }]) => body)
    .filter((body) => JSON.stringify(body)?.includes('spans'));
  expect(saved.at(-1)).toMatchObject({ spans: [{ fromMinute: 600, toMinute: 900 }] });
});

// @vitest-environment jsdom
import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type AppointmentSchema, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { ListAppointmentsResponseSchema } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount, refused } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { PolicyCard } = await import('./policy-card');

const DAY = 24 * 60;
const before = { incrementMinutes: 15, leadMinutes: 60, horizonDays: 180, cancellationWindowMinutes: DAY };
let kept = before;
let visits: MessageInitShape<typeof AppointmentSchema>[] = [];
let saving: () => Promise<unknown> = async () => ({ policy: kept });

const sent = () => api.mock.calls.map(([request]) => request).filter(({ verb }) => verb === 'PUT');
const asked = () =>
  api.mock.calls.map(([request]) => request).filter(({ path }) => path.endsWith('/appointments'));

beforeEach(() => {
  fillJsdomGaps();
  Element.prototype.scrollIntoView = () => undefined;
  kept = before;
  visits = [];
  saving = async () => ({ policy: kept });
  api.mockReset().mockImplementation(async ({ verb, path }) => {
    if (path.endsWith('/appointments'))
      return toJson(
        ListAppointmentsResponseSchema,
        create(ListAppointmentsResponseSchema, { appointments: visits }),
      );
    return verb === 'PUT' ? saving() : { policy: kept };
  });
});
afterEach(cleanup);

async function choose(label: string, value: number) {
  fireEvent.change(await screen.findByLabelText(label), { target: { value: String(value) } });
}

function open() {
  const card = <PolicyCard businessId="b1" zone="Europe/London" changes />;
  mount([{ path: '/', element: card }], '/');
}

it('shows the visits whose customers lose the time to cancel before it saves', async () => {
  const startsAt = timestampFromDate(new Date(Date.now() + 36 * 3_600_000));
  visits = [
    { id: 'v1', customerName: 'Ana Sousa', startsAt, state: AppointmentState.BOOKED },
    { id: 'v2', customerName: 'Ben Gone', startsAt, state: AppointmentState.CANCELLED },
  ];
  open();
  await choose('Customers cancel at the latest', 2 * DAY);
  fireEvent.click(screen.getByRole('button', { name: 'Save rules' }));
  const step = within(
    await screen.findByRole('group', { name: 'Visits that customers could not cancel any more' }),
  );
  expect(step.getByRole('alert').textContent).toContain('The customers of 1 visit can cancel now');
  expect(step.getByText('Ana Sousa')).toBeDefined();
  expect(step.queryByText('Ben Gone')).toBeNull();
  expect(sent()).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Save anyway' }));
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]).toMatchObject({
    body: { policy: { cancellationWindowMinutes: 2 * DAY }, seen: before },
  });
});

it('saves at once where no customer loses anything', async () => {
  open();
  await choose('Customers cancel at the latest', 60);
  fireEvent.click(screen.getByRole('button', { name: 'Save rules' }));
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(asked()).toEqual([]);
});

it('begins anew from what a colleague has saved meanwhile', async () => {
  saving = async () => {
    kept = { ...before, incrementMinutes: 30 };
    throw refused(409, 'STALE');
  };
  open();
  await choose('Book at the earliest', 30);
  fireEvent.click(screen.getByRole('button', { name: 'Save rules' }));
  const shown = (label: string) => screen.getByLabelText<HTMLSelectElement>(label).value;
  await waitFor(() => expect(shown('Offer a start every')).toBe('30'));
  expect(shown('Book at the earliest')).toBe('180');
});

it('says at its field that notice as long as the horizon leaves no time to book', async () => {
  saving = async () => {
    const description = 'must be less than the horizon';
    throw refused(400, 'INVALID_FIELD', '', [{ field: 'policy.lead_minutes', description }]);
  };
  open();
  await choose('Customers book at the latest', 7 * DAY);
  fireEvent.click(screen.getByRole('button', { name: 'Save rules' }));
  await screen.findByText(/less than the horizon/i);
});

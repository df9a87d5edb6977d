// @vitest-environment jsdom
import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppointmentSchema, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { ListCustomerAppointmentsResponseSchema } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({ api }));

const { CustomerVisits, whatAndWho } = await import('./customer-visits');

type Visit = MessageInitShape<typeof AppointmentSchema>;

/** One visit a week from the first week on. */
const weekly = (count: number, from: number, state: AppointmentState): Visit[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `visit-${from + index}`,
    state,
    startsAt: timestampFromDate(new Date(Date.UTC(2030, 0, 1 + 7 * (from + index), 10))),
    items: [{ serviceName: `Week ${from + index}` }],
  }));

function open(upcoming: Visit[]) {
  api.mockReset().mockImplementation(async ({ path, query }) => {
    if (!path.endsWith('/appointments')) return {};
    const visits = query?.get('upcoming') === 'true' ? upcoming : [];
    // As the server does: only so many at once.
    const size = Number(query?.get('pageSize') ?? 50);
    const first = Number(query?.get('pageToken') || 0);
    const page = {
      appointments: visits.slice(first, first + size),
      nextPageToken: first + size < visits.length ? String(first + size) : '',
    };
    const schema = ListCustomerAppointmentsResponseSchema;
    return toJson(schema, create(schema, page));
  });
  const element = <CustomerVisits businessId="b1" customerId="c1" zone="UTC" title="Visits" />;
  mount([{ path: '/', element }], '/');
}

const rows = async (name: string) =>
  within(await screen.findByRole('list', { name }))
    .getAllByRole('listitem')
    .map(({ textContent }) => /Week \d+/.exec(textContent ?? '')?.[0]);

beforeEach(fillJsdomGaps);
afterEach(cleanup);

it('a customer’s later visits to come are shown on demand', async () => {
  open(weekly(14, 0, AppointmentState.BOOKED));
  expect(await rows('Upcoming')).toHaveLength(10);
  fireEvent.click(screen.getByRole('button', { name: 'Show later visits' }));
  expect((await rows('Upcoming')).slice(-1)).toEqual(['Week 13']);
  expect(screen.queryByRole('button', { name: 'Show later visits' })).toBeNull();
});

it('a cancelled series does not hide the visit that is booked after it', async () => {
  open([...weekly(12, 0, AppointmentState.CANCELLED), ...weekly(1, 12, AppointmentState.BOOKED)]);
  expect(await rows('Upcoming')).toEqual(['Week 12']);
  expect(await rows('Cancelled')).toHaveLength(10);
});

it('a visit is told with what it cost at list prices, where there are any', () => {
  const items = [{ serviceId: 'cut', serviceName: 'Cut', employeeId: 'mia', employeeName: 'Mia Larsen' }];
  const priced = create(AppointmentSchema, { items, priceMinor: 6200, currency: 'GBP' });
  expect(whatAndWho(priced)).toBe('Cut with Mia Larsen · £62');
  expect(whatAndWho(create(AppointmentSchema, { items }))).toBe('Cut with Mia Larsen');
});

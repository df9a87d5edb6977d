// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ListServicesResponseSchema } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { ListEmployeesResponseSchema } from '../gen/frontdesk/tenancy/v1/employee_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork, mount } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { BookingDialog } = await import('./booking-dialog');

const services = [{ id: 'cut', name: 'Cut', employeeIds: ['mia'] }];
const employees = [{ id: 'mia', name: 'Mia' }];

/** The dialog in a window so wide, with a service and who does it. */
async function shown(matches: boolean): Promise<void> {
  window.matchMedia = (() => ({
    matches,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  })) as unknown as typeof window.matchMedia;
  const element = <BookingDialog businessId="b1" open onClose={() => undefined} />;
  mount([{ path: '/', element }], '/');
  fireEvent.change(await screen.findByLabelText('Service'), { target: { value: 'cut' } });
  await screen.findByRole('option', { name: 'Mia' });
  fireEvent.change(screen.getByLabelText('With'), { target: { value: 'mia' } });
}

const more = () => screen.getByRole('button', { name: /^More choices/ });

beforeEach(() => {
  dialogsWork();
  fillJsdomGaps();
  api.mockReset().mockImplementation(async ({ path }) => {
    if (path.endsWith('/services'))
      return toJson(ListServicesResponseSchema, create(ListServicesResponseSchema, { services }));
    if (path.endsWith('/employees'))
      return toJson(ListEmployeesResponseSchema, create(ListEmployeesResponseSchema, { employees }));
    return {};
  });
});
afterEach(cleanup);

it('folds what few bookings need where free times come below, and says what is chosen there', async () => {
  await shown(false);
  expect(screen.queryByLabelText('Exact start')).toBeNull();
  expect(more().textContent).toBe('More choices: prefers Mia');

  fireEvent.click(more());
  fireEvent.change(screen.getByLabelText('Exact start'), { target: { value: '10:30' } });
  fireEvent.click(screen.getByLabelText('Morning'));
  fireEvent.click(screen.getByLabelText('Only Mia'));
  fireEvent.click(screen.getByRole('button', { name: 'Fewer choices' }));

  expect(more().textContent).toBe('More choices: at 10:30, morning, only Mia');
  expect(screen.queryByLabelText('Exact start')).toBeNull();
});

it('says what can be chosen where nothing is', async () => {
  await shown(false);
  fireEvent.change(screen.getByLabelText('With'), { target: { value: '' } });
  expect(more().textContent).toBe('More choices: exact start, part of the day');
});

it('comes before free times in the order of the Tab key', async () => {
  await shown(false);
  const times = screen.getByRole('heading', { name: /^Free/ });
  expect(more().compareDocumentPosition(times)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

it('shows all choices where free times are beside them', async () => {
  await shown(true);
  expect(screen.getByLabelText('Exact start')).toBeTruthy();
  expect(screen.getByLabelText('Only Mia')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /choices/ })).toBeNull();
});

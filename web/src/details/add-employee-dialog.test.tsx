// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ListServicesResponseSchema } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { GetOpeningHoursResponseSchema } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { CreateEmployeeResponseSchema } from '../gen/frontdesk/tenancy/v1/employee_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork, mount } from '../testing/mount';
import { toasts } from '../ui/toasts';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { AddEmployeeDialog } = await import('./add-employee-dialog');

const BASE = '/v1/businesses/b1';
const spans = [{ weekday: 1, fromMinute: 540, toMinute: 1080 }];
const services = [{ id: 's1', name: 'Cut', employeeIds: ['e1'] }];
const employee = { id: 'e2', name: 'Mia' };
const put = () =>
  api.mock.calls.map(([{ verb, path }]) => `${verb} ${path}`).filter((one) => one.startsWith('PUT'));

beforeEach(() => {
  dialogsWork();
  fillJsdomGaps();
  api.mockReset().mockImplementation(async ({ verb, path }) => {
    if (path === `${BASE}/opening-hours`)
      return toJson(GetOpeningHoursResponseSchema, create(GetOpeningHoursResponseSchema, { spans }));
    if (path === `${BASE}/services`)
      return toJson(ListServicesResponseSchema, create(ListServicesResponseSchema, { services }));
    return verb === 'POST'
      ? toJson(CreateEmployeeResponseSchema, create(CreateEmployeeResponseSchema, { employee }))
      : {};
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

async function added(first: boolean): Promise<string> {
  const show = vi.spyOn(toasts, 'show');
  const onClose = () => undefined;
  mount([{ path: '/', element: <AddEmployeeDialog businessId="b1" first={first} onClose={onClose} /> }], '/');
  await screen.findByLabelText('Works whenever the salon is open');
  await screen.findByLabelText('Does every service');
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Mia' } });
  fireEvent.click(screen.getByRole('button', { name: 'Add employee' }));
  await waitFor(() => expect(show).toHaveBeenCalled());
  return show.mock.lastCall?.[1] ?? '';
}

it('adds the first one with the salon’s hours and all its services', async () => {
  expect(await added(true)).toBe('Mia is part of the team.');
  expect(put()).toEqual([`PUT ${BASE}/employees/e2/schedule`, `PUT ${BASE}/services/s1`]);
});

it('adds others without, and says what they need next', async () => {
  expect(await added(false)).toBe('Mia is part of the team. Set their hours and services next.');
  expect(put()).toEqual([]);
});

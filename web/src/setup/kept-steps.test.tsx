// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ListServicesResponseSchema } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { GetOpeningHoursResponseSchema } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import {
  CreateEmployeeResponseSchema,
  ListEmployeesResponseSchema,
} from '../gen/frontdesk/tenancy/v1/employee_pb';
import type { Outgoing } from '../http/transport';
import { paths } from '../paths';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork, mount } from '../testing/mount';
import { toasts } from '../ui/toasts';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: {
    state: { user: { email: 'admin@frontdesk.test' } },
    subscribe: () => () => undefined,
    onEnd: () => () => undefined,
  },
  tabStorage: sessionStorage,
}));
vi.mock('../runtime', () => ({ runtime: () => ({ apiBaseUrl: '/api' }) }));

const { Component: CreatePage } = await import('./create-page');

const ID = '01900000-0000-7000-8000-000000000001';
const OTHER = '01900000-0000-7000-8000-000000000002';
const EMPLOYEE = { id: 'e1', name: 'Ben Carter' };

function answer({ path, verb }: Outgoing): unknown {
  if (/\/businesses\/[^/]+$/.test(path))
    return { business: { id: ID, name: 'Willow & Co', timeZone: 'Europe/London', currency: 'GBP' } };
  if (path.endsWith('/opening-hours')) {
    const schema = GetOpeningHoursResponseSchema;
    return toJson(
      schema,
      create(schema, {
        timeZone: 'Europe/London',
        spans: [{ weekday: 1, fromMinute: 540, toMinute: 1020 }],
      }),
    );
  }
  if (path.endsWith('/employees') && verb === 'POST')
    return toJson(CreateEmployeeResponseSchema, create(CreateEmployeeResponseSchema, { employee: EMPLOYEE }));
  if (path.includes('/employees'))
    return toJson(ListEmployeesResponseSchema, create(ListEmployeesResponseSchema, {}));
  if (path.includes('/services'))
    return toJson(ListServicesResponseSchema, create(ListServicesResponseSchema, {}));
  return {};
}

function open(step?: string, businessId = ID) {
  const path = '/admin/businesses/create';
  mount(
    [{ path, element: <CreatePage /> }],
    step ? paths.adminCreateBusiness(businessId, step) : paths.adminCreateBusiness(),
  );
}

/** The tab is loaded again at the same address. */
function reload(step?: string, businessId = ID) {
  window.dispatchEvent(new Event('pagehide'));
  cleanup();
  open(step, businessId);
}

const type = (field: HTMLElement, value: string) => fireEvent.input(field, { target: { value } });
const value = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label).value;
const saysSo = () => toasts.list.map(({ text }) => text).includes('What you had filled in is back.');

beforeEach(() => {
  fillJsdomGaps();
  dialogsWork();
  sessionStorage.clear();
  toasts.clear();
  api.mockReset();
  api.mockImplementation(async (request) => answer(request));
});
afterEach(cleanup);

it('keeps the details of a business over a reload', async () => {
  open();
  type(await screen.findByLabelText('Name'), 'Willow & Co');
  await waitFor(() => expect(value('Name')).toBe('Willow & Co'));
  reload();
  await waitFor(() => expect(value('Name')).toBe('Willow & Co'));
  expect(saysSo()).toBe(true);
});

it('keeps opening hours over a reload', async () => {
  open('hours');
  const [from] = await screen.findAllByLabelText<HTMLInputElement>(/from/i);
  fireEvent.change(from as HTMLInputElement, { target: { value: '10:30' } });
  reload('hours');
  await waitFor(() => expect(screen.getAllByLabelText<HTMLInputElement>(/from/i)[0]?.value).toBe('10:30'));
  expect(saysSo()).toBe(true);
});

it('keeps the name of an employee and what they are given over a reload, until they are added', async () => {
  open('team');
  type(await screen.findByLabelText('Name of an employee'), 'Ben Carter');
  fireEvent.click(await screen.findByLabelText('Works whenever the salon is open'));
  reload('team');
  await screen.findByLabelText('Name of an employee');
  expect(value('Name of an employee')).toBe('Ben Carter');
  expect((await screen.findByLabelText<HTMLInputElement>('Works whenever the salon is open')).checked).toBe(
    false,
  );
  fireEvent.click(screen.getByLabelText('Works whenever the salon is open'));
  fireEvent.click(screen.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(value('Name of an employee')).toBe(''));
  toasts.clear();
  reload('team');
  await screen.findByLabelText('Name of an employee');
  expect(value('Name of an employee')).toBe('');
  expect(saysSo()).toBe(false);
});

it('keeps which services are wanted and their prices over a reload, until they are added', async () => {
  open('services');
  type(await screen.findByLabelText('Price of Dry cut (GBP)'), '41');
  fireEvent.click(screen.getByLabelText(/^Toner/));
  reload('services');
  await screen.findByLabelText('Price of Dry cut (GBP)');
  expect(value('Price of Dry cut (GBP)')).toBe('41');
  expect(screen.getByLabelText<HTMLInputElement>(/^Toner/).checked).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: 'Add 7 services' }));
  await waitFor(() => expect(toasts.list.map(({ text }) => text)).toContain('7 services are added.'));
  reload('services');
  await screen.findByLabelText('Price of Dry cut (GBP)');
  expect(value('Price of Dry cut (GBP)')).toBe('35');
});

it('keeps what kind of salon the services are suggested for over a reload', async () => {
  open('services');
  fireEvent.click(await screen.findByLabelText('Barber'));
  await screen.findByLabelText('Price of Skin fade (GBP)');
  reload('services');
  await screen.findByLabelText('Price of Skin fade (GBP)');
});

it('keeps the address of an owner over a reload', async () => {
  open('owner');
  type(await screen.findByLabelText('E-mail of the owner'), 'ada@salon.test');
  reload('owner');
  await screen.findByLabelText('E-mail of the owner');
  expect(value('E-mail of the owner')).toBe('ada@salon.test');
});

it('keeps the number that the codes are made from over a reload', async () => {
  open('phone');
  type(await screen.findByLabelText('Number of the agent'), '+44 20 7946 0018');
  reload('phone');
  await screen.findByLabelText('Number of the agent');
  expect(value('Number of the agent')).toBe('+44 20 7946 0018');
});

it('keeps what was typed for one business from another', async () => {
  open('owner');
  type(await screen.findByLabelText('E-mail of the owner'), 'ada@salon.test');
  reload('owner', OTHER);
  await screen.findByLabelText('E-mail of the owner');
  expect(value('E-mail of the owner')).toBe('');
});

it('keeps a platform that is being connected over a reload, but not its secrets', async () => {
  const connect = async () => {
    const [button] = await screen.findAllByRole('button', { name: 'Connect a platform' });
    fireEvent.click(button as HTMLElement);
    return screen.findByLabelText<HTMLInputElement>(/^Name/);
  };
  open('phone');
  type(await connect(), 'Evening line');
  for (const secret of document.querySelectorAll<HTMLInputElement>('input[type=password]'))
    type(secret, 'hunter2');
  window.dispatchEvent(new Event('pagehide'));
  expect(JSON.stringify({ ...sessionStorage })).toContain('Evening line');
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('hunter2');
  reload('phone');
  expect((await connect()).value).toBe('Evening line');
});

// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ListMembersResponseSchema } from '../gen/frontdesk/auth/v1/member_pb';
import { ListEmployeesResponseSchema } from '../gen/frontdesk/tenancy/v1/employee_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork, mount, refused } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { TeamTab } = await import('./team-tab');

const BUSINESS = '01900000-0000-7000-8000-000000000001';
const BASE = `/v1/businesses/${BUSINESS}`;
const MEMBERS = [
  { userId: 'olivia', name: 'Olivia Hart', email: 'olivia@demo.test', role: 'OWNER' },
  { userId: 'maya', name: 'Maya', email: 'maya@demo.test', role: 'EMPLOYEE' },
  { userId: 'guest', name: 'Gus', email: 'gus@demo.test', role: 'GUEST' },
  { userId: 'out', name: 'Otto', email: 'otto@demo.test', role: 'MANAGER', disabled: true },
];
/** Who is an employee, by id; Olivia cuts hair and has no account there. */
let employees: { id: string; name: string; userId?: string; version: bigint; lastDay?: string }[];
let refusal: Error | undefined;
const updates = () => api.mock.calls.map(([request]) => request).filter(({ verb }) => verb === 'PUT');

beforeEach(() => {
  dialogsWork();
  fillJsdomGaps();
  refusal = undefined;
  employees = [
    { id: 'e1', name: 'Olivia', version: 3n, lastDay: '2026-09-30' },
    { id: 'e2', name: 'Maya', userId: 'maya', version: 1n },
  ];
  api.mockReset();
  api.mockImplementation(async ({ verb, path, query, body }) => {
    if (verb === 'PUT') {
      if (refusal) throw refusal;
      employees = employees.map((one) =>
        one.id === 'e1' ? { ...one, userId: (body as { userId: string }).userId, version: 4n } : one,
      );
      return {};
    }
    if (path === `${BASE}/members`)
      return toJson(ListMembersResponseSchema, create(ListMembersResponseSchema, { members: MEMBERS }));
    if (path === `${BASE}/employees`) {
      const told = query?.get('former') === 'true' ? [] : employees;
      return toJson(ListEmployeesResponseSchema, create(ListEmployeesResponseSchema, { employees: told }));
    }
    return {};
  });
});
afterEach(cleanup);

const shown = (role: string) =>
  mount([{ path: '/', element: <TeamTab businessId={BUSINESS} role={role} zone="UTC" /> }], '/');

async function openLinking() {
  fireEvent.click(await screen.findByRole('button', { name: 'Invite Olivia' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Choose a member instead' }));
  return screen.findByRole('dialog', { name: 'Who is Olivia?' });
}

it('lets an owner say that an employee is a member who is there', async () => {
  shown('OWNER');
  const dialog = await openLinking();
  const choice = within(dialog).getByRole('combobox', { name: /^Member/ });
  const offered = within(choice).getAllByRole('option');
  // Those who are employees already, guests and accounts that are shut out are no choice.
  expect(offered.map(({ textContent }) => textContent)).toEqual([
    'Choose a member',
    'Olivia Hart, olivia@demo.test (Owner)',
  ]);
  const link = within(dialog).getByRole('button', { name: 'Link the account' });
  expect(link).toHaveProperty('disabled', true);
  fireEvent.change(choice, { target: { value: 'olivia' } });
  fireEvent.click(link);
  await waitFor(() => expect(screen.getAllByText('Signs in and sees their own day')).toHaveLength(2));
  // What else is known of the employee stays.
  expect(updates()).toMatchObject([
    {
      path: `${BASE}/employees/e1`,
      body: { name: 'Olivia', lastDay: '2026-09-30', version: '3', userId: 'olivia' },
    },
  ]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('says why an account could not be linked, and keeps the choice', async () => {
  refusal = refused(409, 'ALREADY_EXISTS', 'this account belongs to another employee');
  shown('OWNER');
  const dialog = await openLinking();
  const choice = within(dialog).getByRole('combobox', { name: /^Member/ });
  fireEvent.change(choice, { target: { value: 'olivia' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Link the account' }));
  await within(dialog).findByRole('alert');
  expect(choice).toHaveProperty('value', 'olivia');
});

it('says that a member was removed meanwhile', async () => {
  refusal = refused(400, 'INVALID_FIELD', 'user_id: names no member of this business', [
    { field: 'user_id', description: 'names no member of this business' },
  ]);
  shown('OWNER');
  const dialog = await openLinking();
  const choice = within(dialog).getByRole('combobox', { name: /^Member/ });
  fireEvent.change(choice, { target: { value: 'olivia' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Link the account' }));
  await within(dialog).findByText('This account can’t be linked any more. Choose another one.');
});

it('offers no member where all are employees, and nothing to a manager', async () => {
  employees = employees.map((one) => (one.id === 'e1' ? one : { ...one, userId: 'olivia' }));
  employees.push({ id: 'e3', name: 'Maya', userId: 'maya', version: 1n });
  const { client } = shown('OWNER');
  fireEvent.click(await screen.findByRole('button', { name: 'Invite Olivia' }));
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(screen.queryByRole('button', { name: 'Choose a member instead' })).toBeNull();
  cleanup();
  shown('MANAGER');
  await screen.findByText('Olivia');
  expect(screen.queryByRole('button', { name: /^Invite/ })).toBeNull();
});

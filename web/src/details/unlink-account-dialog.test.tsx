// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ListMembersResponseSchema } from '../gen/frontdesk/auth/v1/member_pb';
import {
  ListEmployeesResponseSchema,
  UnlinkEmployeeAccountResponseSchema,
} from '../gen/frontdesk/tenancy/v1/employee_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork, mount, refused } from '../testing/mount';
import { toasts } from '../ui/toasts';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { TeamTab } = await import('./team-tab');

const BUSINESS = '01900000-0000-7000-8000-000000000001';
const BASE = `/v1/businesses/${BUSINESS}`;
const mallory = { userId: 'mallory', name: 'Mallory Fox', email: 'mallory@demo.test', role: 'EMPLOYEE' };

/** Maya, whose account is Mallory’s by mistake. */
let maya: { id: string; name: string; userId: string; version: bigint };
let members: (typeof mallory)[];
let refusal: Error | undefined;
const changes = () => api.mock.calls.map(([request]) => request).filter(({ verb }) => verb !== 'GET');

beforeEach(() => {
  dialogsWork();
  fillJsdomGaps();
  toasts.clear();
  refusal = undefined;
  members = [mallory];
  maya = { id: 'e1', name: 'Maya', userId: 'mallory', version: 3n };
  api.mockReset().mockImplementation(async ({ verb, path, query, body }) => {
    if (verb !== 'GET') {
      if (refusal) throw refusal;
      const userId = verb === 'PUT' ? (body as { userId: string }).userId : '';
      maya = { ...maya, userId, version: maya.version + 1n };
      const schema = UnlinkEmployeeAccountResponseSchema;
      return toJson(schema, create(schema, { employee: maya }));
    }
    if (path === `${BASE}/members`)
      return toJson(ListMembersResponseSchema, create(ListMembersResponseSchema, { members }));
    if (path === `${BASE}/employees`) {
      const employees = query?.get('former') === 'true' ? [] : [maya];
      return toJson(ListEmployeesResponseSchema, create(ListEmployeesResponseSchema, { employees }));
    }
    return {};
  });
});
afterEach(cleanup);

const OWNER = 'OWNER';
const shown = (role: string) =>
  mount([{ path: '/', element: <TeamTab businessId={BUSINESS} role={role} zone="UTC" /> }], '/');

async function openUnlinking(
  sentence: RegExp = /^Mallory Fox \(mallory@demo\.test\) no longer has Maya’s day/,
) {
  shown(OWNER);
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Maya' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Unlink account' }));
  const dialog = await screen.findByRole('dialog', { name: 'Unlink the account of Maya?' });
  await within(dialog).findByText(sentence);
  return dialog;
}

it('takes a wrong account from an employee, and links it again', async () => {
  const dialog = await openUnlinking();
  fireEvent.click(within(dialog).getByRole('button', { name: 'Unlink account' }));
  await screen.findByRole('button', { name: 'Invite Maya' });
  expect(changes()).toMatchObject([
    { verb: 'POST', path: `${BASE}/employees/e1:unlinkAccount`, body: { version: '3' } },
  ]);
  const [told] = toasts.list;
  expect(told?.text).toBe('Unlinked the account of Maya.');
  told?.action?.run();
  await screen.findByText('Signs in and sees their own day');
  expect(changes().at(-1)).toMatchObject({
    verb: 'PUT',
    path: `${BASE}/employees/e1`,
    body: { name: 'Maya', userId: 'mallory', version: '4' },
  });
  await waitFor(() => expect(toasts.list[0]?.text).toBe('Maya has the account again.'));
});

it('says why an account stays linked', async () => {
  refusal = refused(409, 'STALE', 'the record was changed since it was seen');
  const dialog = await openUnlinking();
  fireEvent.click(within(dialog).getByRole('button', { name: 'Unlink account' }));
  await within(dialog).findByRole('alert');
  expect(toasts.list).toEqual([]);
});

it('closes without an undo once the account is found unlinked after a refusal', async () => {
  const dialog = await openUnlinking();
  refusal = refused(409, 'STALE', 'the record was changed since it was seen');
  maya = { ...maya, userId: '', version: 4n };
  fireEvent.click(within(dialog).getByRole('button', { name: 'Unlink account' }));
  await waitFor(() => expect(toasts.list[0]?.text).toBe('The account of Maya is already unlinked.'));
  expect(toasts.list.map(({ action }) => action)).toEqual([undefined]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('offers no undo where the account belongs to no member', async () => {
  members = [];
  const dialog = await openUnlinking(/^The person with this account is no longer a member/);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Unlink account' }));
  await waitFor(() => expect(toasts.list[0]?.text).toBe('Unlinked the account of Maya.'));
  expect(toasts.list[0]?.action).toBeUndefined();
});

it('offers no undo where the account belongs to a guest', async () => {
  members = [{ ...mallory, role: 'GUEST' }];
  const dialog = await openUnlinking(/^This account belongs to a guest, so it can’t be linked to Maya again/);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Unlink account' }));
  await waitFor(() => expect(toasts.list[0]?.text).toBe('Unlinked the account of Maya.'));
  expect(toasts.list[0]?.action).toBeUndefined();
});

it('says why an undo fails once the person is no longer a member', async () => {
  const dialog = await openUnlinking();
  fireEvent.click(within(dialog).getByRole('button', { name: 'Unlink account' }));
  await waitFor(() => expect(toasts.list).toHaveLength(1));
  refusal = refused(400, 'INVALID', '', [{ field: 'user_id', description: 'is not a member' }]);
  toasts.list[0]?.action?.run();
  await waitFor(() =>
    expect(toasts.list.map(({ text }) => text)).toContain(
      'Not undone. This account can’t be linked any more.',
    ),
  );
});

it('unlinks no account while the form has unsaved changes', async () => {
  shown(OWNER);
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Maya' }));
  const unlink = await screen.findByRole<HTMLButtonElement>('button', { name: 'Unlink account' });
  expect(unlink.disabled).toBe(false);
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Maya Fox' } });
  await screen.findByText('Save or cancel your changes before you unlink the account.');
  expect(unlink.disabled).toBe(true);
});

it('an employee without an account has none to unlink', async () => {
  maya = { ...maya, userId: '' };
  shown(OWNER);
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Maya' }));
  await screen.findByRole('dialog', { name: 'Edit Maya' });
  expect(screen.queryByRole('button', { name: 'Unlink account' })).toBeNull();
});

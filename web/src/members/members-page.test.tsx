// @vitest-environment jsdom
import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ListInvitationsResponseSchema,
  ListMembersResponseSchema,
  type MemberSchema,
} from '../gen/frontdesk/auth/v1/member_pb';
import { CalendarKind, ListCalendarsResponseSchema } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { ListEmployeesResponseSchema } from '../gen/frontdesk/tenancy/v1/employee_pb';
import type { Outgoing } from '../http/transport';
import { deferred } from '../testing/fake-clock';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork, mount, refused } from '../testing/mount';
import { toasts } from '../ui/toasts';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
const state = vi.hoisted(() => ({
  user: { email: 'olivia@demo.test', role: 'OWNER', businessIds: [] as string[] },
}));
vi.mock('../session/current', () => ({
  api,
  session: {
    state,
    subscribe: () => () => undefined,
    onEnd: () => () => undefined,
    renew: async () => 'token',
  },
  tabStorage: undefined,
}));

const { Component } = await import('./members-page');

const BUSINESS = '01900000-0000-7000-8000-000000000001';
const BASE = `/v1/businesses/${BUSINESS}`;
const answers = new Map<string, (request: Outgoing) => unknown>();
const sent = (path: string) =>
  api.mock.calls.map(([request]) => request).filter((one) => one.path === `${BASE}${path}`);

const maya: MessageInitShape<typeof MemberSchema> = {
  userId: 'maya',
  name: 'Maya',
  email: 'maya@demo.test',
  role: 'EMPLOYEE',
};
const olivia: MessageInitShape<typeof MemberSchema> = {
  userId: 'olivia',
  name: 'Olivia',
  email: 'olivia@demo.test',
  role: 'OWNER',
};

function members(...list: MessageInitShape<typeof MemberSchema>[]) {
  answers.set(`${BASE}/members`, () =>
    toJson(ListMembersResponseSchema, create(ListMembersResponseSchema, { members: list })),
  );
}

/** Two calendars of Maya's own, one that the salon's booking system has for her, and one of Olivia's. */
function calendarsOfMaya() {
  const employees = [
    { id: 'e1', name: 'Maya', userId: 'maya' },
    { id: 'e2', name: 'Olivia', userId: 'olivia' },
  ];
  answers.set(`${BASE}/employees`, () =>
    toJson(ListEmployeesResponseSchema, create(ListEmployeesResponseSchema, { employees })),
  );
  const calendars = [
    { id: 'c1', employeeId: 'e1', kind: CalendarKind.GOOGLE, name: 'maya@example.com' },
    { id: 'c2', employeeId: 'e1', kind: CalendarKind.CALDAV, name: 'Home' },
    { id: 'c3', employeeId: 'e1', kind: CalendarKind.PROVIDER, name: 'Salon book' },
    { id: 'c4', employeeId: 'e2', kind: CalendarKind.GOOGLE, name: 'olivia@example.com' },
  ];
  answers.set(`${BASE}/calendars`, () =>
    toJson(ListCalendarsResponseSchema, create(ListCalendarsResponseSchema, { calendars })),
  );
}

const disconnected = () =>
  api.mock.calls
    .map(([request]) => request)
    .filter(({ verb, path }) => verb === 'DELETE' && path.startsWith(`${BASE}/calendars/`))
    .map(({ path }) => path);

async function choose(menu: string, item: RegExp) {
  fireEvent.click(await screen.findByRole('button', { name: menu }));
  const open = await screen.findByRole('menu');
  await waitFor(() => expect(document.activeElement).toBe(open));
  fireEvent.click(within(open).getByText(item));
}

beforeEach(() => {
  dialogsWork();
  fillJsdomGaps();
  state.user = { email: 'olivia@demo.test', role: 'OWNER', businessIds: [] };
  answers.clear();
  members(olivia, maya);
  answers.set(`${BASE}/invitations`, ({ verb }) =>
    verb === 'GET'
      ? toJson(
          ListInvitationsResponseSchema,
          create(ListInvitationsResponseSchema, {
            invitations: [{ id: 'i1', email: 'nadia@demo.test', role: 'MANAGER' }],
          }),
        )
      : {},
  );
  api.mockReset().mockImplementation(async (request) => answers.get(request.path)?.(request) ?? {});
});
afterEach(() => {
  cleanup();
  for (const { id } of toasts.list) toasts.dismiss(id);
});

const open = () => mount([{ path: '/:businessId/members', Component }], `/${BUSINESS}/members`);

describe('the role of a member', () => {
  it('is shown at once, with an undo', async () => {
    const answer = deferred<unknown>();
    answers.set(`${BASE}/members/maya:setRole`, () => answer.promise);
    open();
    await choose('Role of Maya: Employee', /^Manager$/);
    await screen.findByRole('button', { name: 'Role of Maya: Manager' });
    answer.resolve({});
    await waitFor(() => expect(toasts.list[0]?.text).toBe('Maya is now manager.'));
    members(olivia, { ...maya, role: 'MANAGER' });
    answers.set(`${BASE}/members/maya:setRole`, () => {
      members(olivia, maya);
      return {};
    });
    toasts.list[0]?.action?.run();
    await screen.findByRole('button', { name: 'Role of Maya: Employee' });
    await waitFor(() =>
      expect(sent('/members/maya:setRole').map(({ body }) => body)).toEqual([
        { role: 'MANAGER', expectedRole: 'EMPLOYEE' },
        { role: 'EMPLOYEE', expectedRole: 'MANAGER' },
      ]),
    );
  });

  it('is not undone over a later change of another owner', async () => {
    open();
    await choose('Role of Maya: Employee', /^Manager$/);
    await waitFor(() => expect(toasts.list[0]?.text).toBe('Maya is now manager.'));
    members(olivia, { ...maya, role: 'GUEST' });
    answers.set(`${BASE}/members/maya:setRole`, () => {
      throw refused(409, 'STALE', 'Their role was changed since: it is guest now.');
    });
    toasts.list[0]?.action?.run();
    await screen.findByRole('button', { name: 'Role of Maya: Guest' });
    const why = 'Not undone. Their role was changed since: it is guest now.';
    await waitFor(() => expect(toasts.list.map(({ text }) => text)).toContain(why));
    expect(sent('/members/maya:setRole')[1]?.body).toEqual({ role: 'EMPLOYEE', expectedRole: 'MANAGER' });
  });

  it('is not reverted by an earlier read of the list', async () => {
    const change = deferred<unknown>();
    answers.set(`${BASE}/members/maya:setRole`, () => change.promise);
    const { client } = open();
    await screen.findByRole('button', { name: 'Role of Maya: Employee' });
    const late = deferred<unknown>();
    answers.set(`${BASE}/members`, () => late.promise);
    void client.invalidateQueries();
    await choose('Role of Maya: Employee', /^Manager$/);
    late.resolve(
      toJson(ListMembersResponseSchema, create(ListMembersResponseSchema, { members: [olivia, maya] })),
    );
    change.resolve({});
    await waitFor(() => expect(toasts.list[0]?.text).toBe('Maya is now manager.'));
    expect(screen.getByRole('button', { name: 'Role of Maya: Manager' })).toBeTruthy();
  });

  it('goes back when it is refused, with the reason', async () => {
    answers.set(`${BASE}/members/maya:setRole`, () => {
      throw refused(400, 'LAST_ONE', 'A business keeps at least one owner.');
    });
    open();
    await choose('Role of Maya: Employee', /^Guest$/);
    await waitFor(() => expect(toasts.list[0]?.text).toBe('A business keeps at least one owner.'));
    await screen.findByRole('button', { name: 'Role of Maya: Employee' });
  });

  it('is not lowered by its own user without confirmation', async () => {
    open();
    await choose('Role of Olivia: Owner', /^Guest$/);
    const dialog = within(screen.getByRole('dialog', { name: 'Become guest?' }));
    expect(sent('/members/olivia:setRole')).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Stay owner' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sent('/members/olivia:setRole')).toEqual([]);
  });
});

describe('a member', () => {
  it('is removed after a question', async () => {
    open();
    await choose('More about Maya', /Remove from this business/);
    members(olivia);
    const dialog = within(screen.getByRole('dialog', { name: 'Remove Maya?' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(screen.queryByText('maya@demo.test')).toBeNull());
    expect(sent('/members/maya').map(({ verb }) => verb)).toEqual(['DELETE']);
    expect(disconnected()).toEqual([]);
  });

  it('is removed with the calendars that are theirs', async () => {
    calendarsOfMaya();
    open();
    await choose('More about Maya', /Remove from this business/);
    const dialog = within(screen.getByRole('dialog', { name: 'Remove Maya?' }));
    const box = await dialog.findByRole('checkbox', { name: 'Disconnect maya@example.com and Home' });
    expect(box).toHaveProperty('checked', true);
    dialog.getByText(/Upcoming appointments that were written there are taken out; past ones stay./);
    fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    await waitFor(() =>
      expect(toasts.list[0]?.text).toBe(
        'Maya is no longer a member, and maya@example.com and Home are being disconnected.',
      ),
    );
    expect(disconnected()).toEqual([`${BASE}/calendars/c1`, `${BASE}/calendars/c2`]);
  });

  it('is removed though a calendar of theirs can’t be disconnected, which is named', async () => {
    calendarsOfMaya();
    answers.set(`${BASE}/calendars/c2`, () => {
      throw refused(409, 'WRONG_STATE', 'It is being read.');
    });
    open();
    await choose('More about Maya', /Remove from this business/);
    const dialog = within(screen.getByRole('dialog', { name: 'Remove Maya?' }));
    await dialog.findByRole('checkbox');
    fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    await waitFor(() =>
      expect(toasts.list[0]?.text).toBe(
        'Maya is no longer a member, but Home is still connected: It is being read. Disconnect under Details, Integrations.',
      ),
    );
  });

  it('keeps the calendars of someone who goes on working there', async () => {
    calendarsOfMaya();
    open();
    await choose('More about Maya', /Remove from this business/);
    const dialog = within(screen.getByRole('dialog', { name: 'Remove Maya?' }));
    fireEvent.click(await dialog.findByRole('checkbox'));
    dialog.getByText('They still get Maya’s appointments with customers’ names.');
    fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(toasts.list[0]?.text).toBe('Maya is no longer a member.'));
    expect(disconnected()).toEqual([]);
  });

  it('whose calendars are not known is told to keep them', async () => {
    answers.set(`${BASE}/calendars`, () => {
      throw refused(503, 'UNAVAILABLE');
    });
    open();
    await choose('More about Maya', /Remove from this business/);
    const dialog = within(screen.getByRole('dialog', { name: 'Remove Maya?' }));
    dialog.getByText(/Calendars of theirs stay connected/);
  });

  it('whose removal fails is still listed, with the reason in the dialog', async () => {
    answers.set(`${BASE}/members/maya`, () => {
      throw refused(400, 'LAST_ONE', 'A business keeps at least one owner.');
    });
    open();
    await choose('More about Maya', /Remove from this business/);
    const dialog = within(screen.getByRole('dialog', { name: 'Remove Maya?' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('A business keeps at least one owner.');
    expect(toasts.list).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Keep' }));
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More about Maya' })),
    );
  });

  it('who is blocked can be unblocked before the block ends', async () => {
    members({ ...maya, blockedUntil: timestampFromDate(new Date(Date.now() + 600_000)) });
    open();
    fireEvent.click(await screen.findByRole('button', { name: /^Lift block/ }));
    await waitFor(() => expect(screen.queryByText(/Sign-in blocked until/)).toBeNull());
    expect(sent('/members/maya:liftBlock')).toHaveLength(1);
  });

  it('whose block is over shows none', async () => {
    members({ ...maya, blockedUntil: timestampFromDate(new Date(Date.now() - 1000)) });
    open();
    await screen.findByText('maya@demo.test');
    expect(screen.queryByText(/Sign-in blocked until/)).toBeNull();
  });

  it('is disabled and enabled by administrators only', async () => {
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'More about Maya' }));
    expect(screen.queryByText('Disable account')).toBeNull();
    cleanup();
    state.user = { email: 'ines@demo.test', role: 'ADMIN', businessIds: [] };
    open();
    await choose('More about Maya', /Disable account/);
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Disable account' }));
    await screen.findByText('Disabled');
    await choose('More about Maya', /Enable account/);
    await waitFor(() => expect(screen.queryByText('Disabled')).toBeNull());
  });
});

describe('an invitation', () => {
  it('is sent with address and role', async () => {
    open();
    await screen.findByText('maya@demo.test');
    fireEvent.click(screen.getByRole('button', { name: 'Invite member' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Invite member' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Send invitation' }));
    await dialog.findByText('Enter an e-mail address.');
    fireEvent.change(dialog.getByLabelText('E-mail'), { target: { value: ' tom@demo.test ' } });
    fireEvent.change(dialog.getByLabelText('Role'), { target: { value: 'MANAGER' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Send invitation' }));
    await waitFor(() => expect(toasts.list[0]?.text).toBe('Invitation sent to tom@demo.test.'));
    const posts = sent('/invitations').filter(({ verb }) => verb === 'POST');
    expect(posts.map(({ body }) => body)).toEqual([{ email: 'tom@demo.test', role: 'MANAGER' }]);
  });

  it('is sent again to the same address with the same role', async () => {
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Send again to nadia@demo.test' }));
    await waitFor(() => expect(toasts.list[0]?.text).toMatch(/^Sent again to nadia@demo.test/));
    const posts = sent('/invitations').filter(({ verb }) => verb === 'POST');
    expect(posts.map(({ body }) => body)).toEqual([{ email: 'nadia@demo.test', role: 'MANAGER' }]);
  });

  it('of a guest is sent again without the employee whom it named', async () => {
    answers.set(`${BASE}/invitations`, ({ verb }) =>
      verb === 'GET'
        ? toJson(
            ListInvitationsResponseSchema,
            create(ListInvitationsResponseSchema, {
              invitations: [{ id: 'i1', email: 'gus@demo.test', role: 'GUEST', employeeId: 'ana' }],
            }),
          )
        : {},
    );
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Send again to gus@demo.test' }));
    await waitFor(() => expect(toasts.list[0]?.text).toMatch(/^Sent again to gus@demo.test/));
    const posts = sent('/invitations').filter(({ verb }) => verb === 'POST');
    expect(posts.map(({ body }) => body)).toEqual([{ email: 'gus@demo.test', role: 'GUEST' }]);
  });

  it('is withdrawn after a question', async () => {
    open();
    fireEvent.click(await screen.findByRole('button', { name: /^Withdraw/ }));
    expect(sent('/invitations/i1')).toEqual([]);
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Withdraw' }));
    await waitFor(() => expect(sent('/invitations/i1').map(({ verb }) => verb)).toEqual(['DELETE']));
    await waitFor(() => expect(toasts.list[0]?.text).toBe('Invitation withdrawn.'));
  });
});

it('is for owners: others read that they may not', async () => {
  answers.set(`${BASE}/members`, () => {
    throw refused(403, 'ROLE_TOO_LOW');
  });
  open();
  await screen.findByRole('heading', { name: 'Access Restricted' });
});

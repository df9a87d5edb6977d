// @vitest-environment jsdom
import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type InvitationSchema, ListInvitationsResponseSchema } from '../gen/frontdesk/auth/v1/member_pb';
import { ListServicesResponseSchema } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { ListStaffSchedulesResponseSchema } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { ListEmployeesResponseSchema } from '../gen/frontdesk/tenancy/v1/employee_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { TeamTab } = await import('./team-tab');

const MIA_AND_NIA = [
  { id: 'mia', name: 'Mia' },
  { id: 'new', name: 'Nia' },
];
let employees = MIA_AND_NIA;
const staff = [
  { employeeId: 'mia', schedules: [{ spans: [{ weekday: 1, fromMinute: 540, toMinute: 1020 }] }] },
];
let invitations: MessageInitShape<typeof InvitationSchema>[] = [];
const services = [{ id: 'cut', name: 'Cut', employeeIds: ['mia'] }];

async function open(role: string) {
  mount([{ path: '/', element: <TeamTab businessId="b1" role={role} zone="Europe/London" /> }], '/');
  const list = within(await screen.findByRole('list', { name: 'Employees' }));
  await list.findByText(/no weekly hours yet/);
  const [mia, nia] = list.getAllByRole('listitem') as [HTMLElement, HTMLElement];
  return { mia: within(mia), nia: within(nia) };
}

beforeEach(() => {
  invitations = [];
  employees = MIA_AND_NIA;
  fillJsdomGaps();
  api.mockReset().mockImplementation(async ({ path, query }) => {
    if (path.endsWith('/employees') && !query?.get('former'))
      return toJson(ListEmployeesResponseSchema, create(ListEmployeesResponseSchema, { employees }));
    if (path.endsWith('/staff-schedules'))
      return toJson(ListStaffSchedulesResponseSchema, create(ListStaffSchedulesResponseSchema, { staff }));
    if (path.endsWith('/invitations'))
      return toJson(ListInvitationsResponseSchema, create(ListInvitationsResponseSchema, { invitations }));
    if (path.endsWith('/services'))
      return toJson(ListServicesResponseSchema, create(ListServicesResponseSchema, { services }));
    return {};
  });
});
afterEach(cleanup);

it('an employee who can’t be booked says why, and where that is cured', async () => {
  const { mia, nia } = await open('MANAGER');
  await nia.findByText(/does no service yet/);
  const links = ['Set hours of Nia', 'Choose services of Nia'].map((name) => nia.getByRole('link', { name }));
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/b1/team/new', '/b1/services']);
  expect(mia.queryByText(/Can’t be booked/)).toBeNull();
});

it('an employee who is invited says where the mail went, and once it is too late', async () => {
  const invited = { id: 'i1', email: 'nia@salon.test', role: 'EMPLOYEE', employeeId: 'new' };
  const late = { id: 'i2', email: 'mia@salon.test', role: 'EMPLOYEE', employeeId: 'mia' };
  invitations = [
    { ...invited, expiresAt: timestampFromDate(new Date(Date.now() + 60_000)) },
    { ...late, expiresAt: timestampFromDate(new Date(Date.now() - 60_000)) },
  ];
  const { mia, nia } = await open('OWNER');
  await nia.findByText('Invited at nia@salon.test, not accepted yet');
  await mia.findByText('The invitation to mia@salon.test has expired');
  const link = nia.getByRole('link', { name: 'Invitation of Nia' });
  expect(link.getAttribute('href')).toBe('/b1/members');
  expect(nia.queryByRole('button', { name: 'Invite Nia' })).toBeNull();
});

it('an employee reads why, without links to what is not for them', async () => {
  const { nia } = await open('EMPLOYEE');
  expect(nia.queryByRole('link', { name: 'Set hours of Nia' })).toBeNull();
});

it('who joined under the name of a colleague is told of, to those who may rename them', async () => {
  employees = [
    { id: 'mia', name: 'Mia' },
    { id: 'new', name: 'Mia 2' },
  ];
  await open('OWNER');
  screen.getByText('2 people go by the name Mia');
  screen.getByText(/unlink the account of Mia 2, link it with Mia/);
  screen.getByRole('button', { name: 'Rename Mia 2' });
  cleanup();
  await open('EMPLOYEE');
  expect(screen.queryByText(/go by the name/)).toBeNull();
});

it('who has a name that looks like a colleague’s in another alphabet is told of, with the alphabets', async () => {
  employees = [
    { id: 'mia', name: 'Copa' },
    { id: 'sora', name: 'Сора' },
  ];
  await open('OWNER');
  screen.getByText('2 people have names that look like Copa');
  screen.getByRole('button', { name: 'Rename Copa (Latin)' });
  screen.getByRole('button', { name: 'Rename Сора (Cyrillic)' });
});

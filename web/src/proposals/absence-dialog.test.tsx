// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GetMeResponseSchema } from '../gen/frontdesk/auth/v1/account_pb';
import { ListEmployeesResponseSchema } from '../gen/frontdesk/tenancy/v1/employee_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork, mount } from '../testing/mount';

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
  const who = await screen.findByLabelText('Who');
  return within(who)
    .getAllByRole('option', { hidden: true })
    .map(({ textContent }) => textContent);
};

beforeEach(() => {
  dialogsWork();
  fillJsdomGaps();
  api.mockReset().mockImplementation(async ({ path }) => {
    if (path === `${BASE}/employees`)
      return toJson(ListEmployeesResponseSchema, create(ListEmployeesResponseSchema, { employees }));
    if (path.endsWith('/me'))
      return toJson(GetMeResponseSchema, create(GetMeResponseSchema, { id: 'u-tom' }));
    return {};
  });
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

// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork, mount, refused } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<() => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: {
    state: { user: { email: 'olivia@demo.test', role: 'OWNER', businessIds: [] } },
    subscribe: () => () => undefined,
    onEnd: () => () => undefined,
    renew: async () => 'token',
  },
  tabStorage: undefined,
}));

const { InviteDialog } = await import('./invite-dialog');

beforeEach(() => {
  dialogsWork();
  fillJsdomGaps();
  api.mockReset();
});
afterEach(cleanup);

function open(employee?: { id: string; name: string }) {
  const dialog = (
    <InviteDialog
      businessId="b"
      business="Willow"
      {...(employee && { employee })}
      onClose={() => undefined}
    />
  );
  mount([{ path: '/', element: dialog }], '/');
  return within(screen.getByRole('dialog'));
}
const offered = (dialog: ReturnType<typeof within>) =>
  within(dialog.getByLabelText('Role'))
    .getAllByRole('option')
    .map(({ textContent }) => textContent);

it('offers the role of a guest, but not to an employee', () => {
  expect(offered(open())).toEqual(['Owner', 'Manager', 'Employee', 'Guest']);
  cleanup();
  expect(offered(open({ id: 'ana', name: 'Ana' }))).toEqual(['Owner', 'Manager', 'Employee']);
});

it('says of a role why it is refused, beside it', async () => {
  api.mockRejectedValue(
    refused(400, 'INVALID_FIELD', 'role must fit', [{ field: 'role', description: 'must fit' }]),
  );
  const dialog = open({ id: 'ana', name: 'Ana' });
  fireEvent.change(dialog.getByLabelText('E-mail'), { target: { value: 'ana@demo.test' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Send invitation' }));
  await dialog.findByText(/must fit/);
});

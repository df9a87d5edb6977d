// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccountService } from '../gen/frontdesk/auth/v1/account_pb';
import type { Outgoing } from '../http/transport';
import { deferred } from '../testing/fake-clock';
import { dialogsWork, mount, refused } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
const state = vi.hoisted(() => ({ user: { email: 'olivia@demo.test' } as { email: string } | null }));
vi.mock('../session/current', () => ({
  api,
  session: { state, subscribe: () => () => undefined },
}));

const { call } = await import('../api/call');
const { DeviceQuestion } = await import('./device-question');

const CHANGE = '/v1/me:changeEmail';
const CODE = '/v1/me/trusted-devices:requestCode';
const CONFIRM = '/v1/me/trusted-devices:confirm';
const untrusted = refused(403, 'DEVICE_NOT_TRUSTED', 'in the door’s words');

let trusted = false;
const paths = () => api.mock.calls.map(([request]) => request.path);
const change = () => call(AccountService.method.changeEmail, { newEmail: 'new@demo.test' });
const field = () => screen.findByLabelText('Code from the e-mail');

async function type(text: string) {
  await waitFor(async () => expect(await field()).toHaveProperty('readOnly', false));
  fireEvent.change(await field(), { target: { value: text } });
}

beforeEach(() => {
  dialogsWork();
  trusted = false;
  api.mockReset().mockImplementation(async ({ path, body }) => {
    if (path === CODE) return {};
    if (path === CONFIRM) {
      if ((body as { code: string }).code !== '123456') throw refused(400, 'WRONG_CODE');
      trusted = true;
      return {};
    }
    if (!trusted) throw untrusted;
    return {};
  });
  mount([{ path: '/', Component: DeviceQuestion }], '/');
});
afterEach(cleanup);

describe('the question for a trusted device', () => {
  it('mails a code, takes its six digits and sends the call again', async () => {
    const done = change();
    await screen.findByRole('dialog', { name: 'Is this your device?' });
    await waitFor(() => expect(paths()).toEqual([CHANGE, CODE]));
    await type('123 456');
    await act(() => done);
    expect(paths()).toEqual([CHANGE, CODE, CONFIRM, CHANGE]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('takes no digits before the code is on its way', async () => {
    const mail = deferred<unknown>();
    api.mockImplementation(async ({ path }) => {
      if (path === CODE) return mail.promise;
      if (!trusted) throw untrusted;
      return {};
    });
    const done = change().catch(() => undefined);
    expect(await field()).toHaveProperty('readOnly', true);
    mail.resolve({});
    await waitFor(async () => expect(await field()).toHaveProperty('readOnly', false));
    fireEvent(await screen.findByRole('dialog'), new Event('cancel', { cancelable: true }));
    await act(() => done);
  });

  it('stays while the code is checked, although the browser closes it', async () => {
    const answer = deferred<unknown>();
    api.mockImplementation(async ({ path }) => {
      if (path === CONFIRM) return answer.promise;
      if (path === CODE || trusted) return {};
      throw untrusted;
    });
    const done = change();
    await waitFor(async () => expect(await field()).toHaveProperty('readOnly', false));
    await type('123456');
    const dialog = (await screen.findByRole('dialog')) as HTMLDialogElement;
    // A second Escape: no question, the dialog is closed.
    dialog.open = false;
    fireEvent(dialog, new Event('close'));
    expect(dialog.open).toBe(true);
    trusted = true;
    answer.resolve({});
    await act(() => done);
  });

  it('ends as well when the browser closes it while nothing runs', async () => {
    const done = change().catch((error: unknown) => error);
    await waitFor(async () => expect(await field()).toHaveProperty('readOnly', false));
    const dialog = (await screen.findByRole('dialog')) as HTMLDialogElement;
    dialog.open = false;
    fireEvent(dialog, new Event('close'));
    expect(await done).toBe(untrusted);
  });

  it('is one question, however many calls wait for it', async () => {
    const done = Promise.all([change(), change()]);
    await type('123456');
    await act(() => done);
    expect(paths().filter((path) => path === CODE)).toHaveLength(1);
    expect(paths().filter((path) => path === CHANGE)).toHaveLength(4);
  });

  it('says that a code was wrong and takes another', async () => {
    const done = change();
    await type('000000');
    await screen.findByText('That code is wrong or no longer valid.');
    expect((await field()).getAttribute('aria-invalid')).toBe('true');
    await type('');
    await type('123456');
    await act(() => done);
  });

  it('lets a browser fill the code in, and shows the wait for another', async () => {
    const done = change();
    expect((await field()).getAttribute('autocomplete')).toBe('one-time-code');
    await screen.findByText(/Send another in/);
    await type('123456');
    await act(() => done);
  });

  it('ends with the call’s own refusal when the dialog is closed', async () => {
    const done = change().catch((error: unknown) => error);
    const dialog = await screen.findByRole('dialog');
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    expect(await done).toBe(untrusted);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(paths()).not.toContain(CONFIRM);
  });
});

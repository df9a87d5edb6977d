// @vitest-environment jsdom
import { create, type DescMessage, type MessageInitShape, toJson } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GetMeResponseSchema, ListIdentitiesResponseSchema } from '../gen/frontdesk/auth/v1/account_pb';
import {
  SecurityEventKind as Kind,
  ListSecurityEventsResponseSchema,
  ListSessionsResponseSchema,
  ListTrustedDevicesResponseSchema,
} from '../gen/frontdesk/auth/v1/security_pb';
import type { Outgoing } from '../http/transport';
import { dialogsWork, mount, refused } from '../testing/mount';
import { toasts } from '../ui/toasts';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
const signOut = vi.hoisted(() => vi.fn());
const endOnPurpose = vi.hoisted(() => vi.fn((request: () => Promise<unknown>) => request()));
const connect = vi.hoisted(() => vi.fn());
vi.mock('../session/current', () => ({
  api,
  session: {
    state: { user: null },
    subscribe: () => () => undefined,
    onEnd: () => () => undefined,
    signOut,
    endOnPurpose,
  },
  tabStorage: undefined,
  door: { frontendConfiguration: async () => ({ oauth: { googleClientId: 'g' } }) },
}));
vi.mock('../session/provider/current', () => ({
  provider: { subscribe: () => () => undefined, loading: false, connect },
}));

const { Component } = await import('./account-page');

type Me = MessageInitShape<typeof GetMeResponseSchema>;
const json = <D extends DescMessage>(schema: D, message: MessageInitShape<D>) =>
  toJson(schema, create(schema, message));

const answers = new Map<string, (request: Outgoing) => unknown>();
const sent = (path: string) => api.mock.calls.map(([request]) => request).filter((one) => one.path === path);
const card = (name: string) => screen.findByRole('region', { name });

function open(me: Me = {}) {
  answers.set('/auth/me', () =>
    json(GetMeResponseSchema, {
      name: 'Olivia Hart',
      email: 'olivia@demo.test',
      emailVerified: true,
      hasPassword: true,
      ...me,
    }),
  );
  mount([{ path: '/my/account', Component }], '/my/account');
}

beforeEach(() => {
  dialogsWork();
  answers.clear();
  answers.set('/v1/me/identities', () => json(ListIdentitiesResponseSchema, {}));
  answers.set('/v1/me/sessions', () =>
    json(ListSessionsResponseSchema, {
      sessions: [
        { id: 's1', current: true, browser: 'Chrome on Windows', address: '203.0.113.7' },
        { id: 's2', browser: 'Safari on iPhone', address: '198.51.100.24' },
      ],
    }),
  );
  answers.set('/v1/me/trusted-devices', () => json(ListTrustedDevicesResponseSchema, {}));
  answers.set('/v1/me/security-events', () => json(ListSecurityEventsResponseSchema, {}));
  signOut.mockReset().mockResolvedValue(undefined);
  connect.mockReset().mockResolvedValue(undefined);
  api.mockReset().mockImplementation(async (request) => answers.get(request.path)?.(request) ?? {});
});
afterEach(() => {
  cleanup();
  for (const { id } of toasts.list) toasts.dismiss(id);
});

describe('the profile', () => {
  it('saves a name and changes it back', async () => {
    open();
    fireEvent.change(await screen.findByLabelText('Name', { selector: 'input' }), {
      target: { value: ' Olivia Bell ' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(toasts.list[0]?.text).toBe('Name saved.'));
    expect(await screen.findByDisplayValue('Olivia Bell')).toBeTruthy();
    toasts.list[0]?.action?.run();
    await screen.findByDisplayValue('Olivia Hart');
    expect(sent('/v1/me:rename').map(({ body }) => body)).toEqual([
      { name: 'Olivia Bell' },
      { name: 'Olivia Hart' },
    ]);
  });

  it('shows an unconfirmed address, and sends the link again', async () => {
    open({ emailVerified: false });
    await screen.findByText('Not verified');
    fireEvent.click(screen.getByRole('button', { name: 'Send it again' }));
    await waitFor(() => expect(toasts.list[0]?.text).toBe('The link is on its way again.'));
    expect(sent('/v1/me:resendVerification')).toHaveLength(1);
  });

  it('names the pending new address', async () => {
    open({ newEmail: 'olivia@willow.test' });
    await screen.findByText(/olivia@willow.test takes its place/);
  });

  it('drops the pending address', async () => {
    open({ newEmail: 'olivia@willow.test' });
    const keep = await screen.findByRole('button', { name: 'Keep olivia@demo.test' });
    answers.set('/auth/me', () =>
      json(GetMeResponseSchema, { email: 'olivia@demo.test', emailVerified: true, hasPassword: true }),
    );
    fireEvent.click(keep);
    await waitFor(() => expect(toasts.list[0]?.text).toBe('You keep olivia@demo.test.'));
    expect(sent('/v1/me:cancelEmailChange')).toHaveLength(1);
    await waitFor(() => expect(screen.queryByText(/takes its place/)).toBeNull());
  });

  it('reports when the pending address could not be dropped', async () => {
    answers.set('/v1/me:cancelEmailChange', () => {
      throw refused(403, 'ROLE_TOO_LOW');
    });
    open({ newEmail: 'olivia@willow.test' });
    fireEvent.click(await screen.findByRole('button', { name: 'Keep olivia@demo.test' }));
    await waitFor(() => expect(toasts.list[0]?.text).toBe('Your role does not allow this.'));
    screen.getByText(/olivia@willow.test takes its place/);
  });

  it('mails the pending address again, given the password', async () => {
    open({ newEmail: 'olivia@willow.test' });
    fireEvent.click(await screen.findByRole('button', { name: 'Send again to olivia@willow.test' }));
    fireEvent.change(screen.getByLabelText('Your password'), { target: { value: 'mine' } });
    fireEvent.click(screen.getByRole('button', { name: 'Send link' }));
    await waitFor(() => expect(toasts.list[0]?.text).toBe('We have sent a link to olivia@willow.test.'));
    expect(sent('/v1/me:changeEmail').map(({ body }) => body)).toEqual([
      { newEmail: 'olivia@willow.test', currentPassword: 'mine' },
    ]);
  });

  it.each([
    ['Change e-mail', 'New e-mail', 'Cancel'],
    ['Change password', 'Current password', 'Cancel'],
  ])('takes the focus along: “%s”', async (button, field, back) => {
    open();
    fireEvent.click(await screen.findByRole('button', { name: button }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(field)));
    fireEvent.click(screen.getByRole('button', { name: back }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: button })));
  });

  it('announces why a change failed', async () => {
    answers.set('/v1/me:changeEmail', () => {
      throw refused(429, 'TOO_MANY', 'Too many mails. Wait a little.');
    });
    open({ hasPassword: false });
    fireEvent.click(await screen.findByRole('button', { name: 'Change e-mail' }));
    fireEvent.change(screen.getByLabelText('New e-mail'), { target: { value: 'o@willow.test' } });
    fireEvent.click(screen.getByRole('button', { name: 'Send link' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Too many mails. Wait a little.');
  });

  it('asks for the password with a new address, and says under it when it is wrong', async () => {
    answers.set('/v1/me:changeEmail', () => {
      throw refused(400, 'INVALID_FIELD', '', [
        { field: 'currentPassword', description: 'The current password is wrong.' },
      ]);
    });
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Change e-mail' }));
    fireEvent.change(screen.getByLabelText('New e-mail'), { target: { value: 'o@willow.test' } });
    fireEvent.change(screen.getByLabelText('Your password'), { target: { value: 'not it' } });
    fireEvent.click(screen.getByRole('button', { name: 'Send link' }));
    await screen.findByText('That is not your password.');
  });
});

describe('the password', () => {
  it('is changed with the current one, and shows the strength of the new one', async () => {
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Change password' }));
    const section = within(await card('Password'));
    fireEvent.change(section.getByLabelText('Current password'), { target: { value: 'old one here' } });
    fireEvent.change(section.getByLabelText('New password'), { target: { value: 'olivia.hart1' } });
    section.getByText('Easy to guess: it is mostly your name or address.');
    fireEvent.change(section.getByLabelText('New password'), { target: { value: 'teapot and a saucer' } });
    section.getByText('Strong.');
    fireEvent.click(section.getByRole('button', { name: 'Save password' }));
    await waitFor(() =>
      expect(toasts.list[0]?.text).toBe('Password saved. Every other browser is signed out.'),
    );
    expect(sent('/v1/me:changePassword')[0]?.body).toEqual({
      currentPassword: 'old one here',
      newPassword: 'teapot and a saucer',
    });
  });

  it('is set without a current one if there is none', async () => {
    open({ hasPassword: false });
    fireEvent.click(await screen.findByRole('button', { name: 'Set a password' }));
    expect(screen.queryByLabelText('Current password')).toBeNull();
    fireEvent.change(screen.getByLabelText('New password'), { target: { value: 'teapot and co' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save password' }));
    await waitFor(() => expect(sent('/v1/me:changePassword')).toHaveLength(1));
  });
});

describe('sign-in with Google', () => {
  it('is connected by a redirect to Google and back', async () => {
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Connect Google' }));
    await waitFor(() => expect(connect).toHaveBeenCalledWith('/my/account'));
  });

  it('is disconnected with the password', async () => {
    answers.set('/v1/me/identities', () =>
      json(ListIdentitiesResponseSchema, { identities: [{ id: 'i', email: 'o@gmail.test' }] }),
    );
    answers.set('/v1/me/identities/i:disconnect', ({ body }) => {
      if ((body as { currentPassword?: string }).currentPassword !== 'mine')
        throw refused(400, 'INVALID_FIELD', '', [
          { field: 'currentPassword', description: 'The current password is wrong.' },
        ]);
      return {};
    });
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Disconnect o@gmail.test' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Disconnect this Google account?' }));
    const type = (value: string) =>
      fireEvent.change(dialog.getByLabelText('Your password'), { target: { value } });
    const submit = () => fireEvent.click(dialog.getByRole('button', { name: 'Disconnect' }));
    submit();
    await dialog.findByText('Enter your password.');
    type('not mine');
    submit();
    await dialog.findByText('That is not your password.');
    type('mine');
    submit();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent('/v1/me/identities/i:disconnect')).toHaveLength(2);
  });

  it('is not disconnected while it is the only sign-in method', async () => {
    answers.set('/v1/me/identities', () =>
      json(ListIdentitiesResponseSchema, { identities: [{ id: 'i', email: 'o@gmail.test' }] }),
    );
    open({ hasPassword: false });
    await screen.findByText('set a password before you disconnect it');
    expect(screen.getByRole('button', { name: /^Disconnect/ })).toHaveProperty('disabled', true);
  });
});

describe('the list of sessions', () => {
  it('ends another session and takes it off the list', async () => {
    open();
    fireEvent.click(await screen.findByRole('button', { name: /^Sign out \(Safari/ }));
    await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull());
    expect(sent('/v1/me/sessions/s2').map(({ verb }) => verb)).toEqual(['DELETE']);
    expect(signOut).not.toHaveBeenCalled();
  });

  it('ends this one the way the menu does', async () => {
    open();
    fireEvent.click(await screen.findByRole('button', { name: /^Sign out \(Chrome/ }));
    await waitFor(() => expect(signOut).toHaveBeenCalledTimes(1));
    expect(sent('/v1/me/sessions/s1')).toEqual([]);
  });

  it('asks before it signs out everywhere', async () => {
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Sign out everywhere?' }));
    expect(sent('/v1/me/sessions:signOutEverywhere')).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Sign out everywhere' }));
    await waitFor(() => expect(signOut).toHaveBeenCalledTimes(1));
    expect(endOnPurpose).toHaveBeenCalledTimes(1);
    expect(sent('/v1/me/sessions:signOutEverywhere')).toHaveLength(1);
  });

  it('stays on the page when signing out everywhere is refused, and says so in the dialog', async () => {
    answers.set('/v1/me/sessions:signOutEverywhere', () => {
      throw refused(503, 'BUSY', 'Too busy.');
    });
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
    const dialog = within(screen.getByRole('dialog'));
    fireEvent.click(dialog.getByRole('button', { name: 'Sign out everywhere' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('Too busy.');
    expect(signOut).not.toHaveBeenCalled();
  });
});

describe('security events', () => {
  it('come page by page', async () => {
    answers.set('/v1/me/security-events', ({ query }) =>
      json(
        ListSecurityEventsResponseSchema,
        query?.get('pageToken')
          ? { events: [{ id: 'e2', kind: Kind.REGISTERED }] }
          : { events: [{ id: 'e1', kind: Kind.SIGNED_IN }], nextPageToken: 'older' },
      ),
    );
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Show older ones' }));
    await screen.findByText('Your account was created.');
    expect(screen.getByText('You signed in.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Show older ones' })).toBeNull();
  });

  it('of a kind this page does not know have a sentence all the same', async () => {
    answers.set('/v1/me/security-events', () => ({
      events: [{ id: 'e1', kind: 'SECURITY_EVENT_KIND_OF_TOMORROW' }],
    }));
    open();
    await screen.findByText('Something happened on your account.');
  });
});

it('shows each section that cannot be read with a way to try again, and the others', async () => {
  answers.set('/v1/me/trusted-devices', () => {
    throw refused(400, 'UNAVAILABLE');
  });
  open();
  await screen.findByText('Your trusted devices can’t be shown');
  await screen.findByText('Safari on iPhone');
  answers.set('/v1/me/trusted-devices', () => json(ListTrustedDevicesResponseSchema, {}));
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('No trusted devices');
});

// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { settle } from '../testing/fake-clock';
import { SessionParts } from '../testing/session-parts';
import { toasts } from '../ui/toasts';
import type { Session } from './session';

let parts: SessionParts;
let session: Session;
let useDraft: typeof import('./use-draft');

function Form() {
  const form = useForm({ defaultValues: { name: 'Before', password: '' } });
  useDraft.useKeptForm('profile', form);
  const [reason, setReason] = useDraft.useKeptText('reason');
  return (
    <form>
      <input aria-label="Name" {...form.register('name')} />
      <input aria-label="Password" {...form.register('password')} />
      <input aria-label="Reason" value={reason} onChange={(event) => setReason(event.target.value)} />
    </form>
  );
}

const open = (path = '/my/account') =>
  render(
    <MemoryRouter initialEntries={[path]}>
      <Form />
    </MemoryRouter>,
  );
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const write = (label: string, value: string) => fireEvent.input(field(label), { target: { value } });

beforeEach(async () => {
  sessionStorage.clear();
  localStorage.clear();
  vi.resetModules();
  parts = new SessionParts();
  session = await parts.signedIn();
  vi.doMock('./current', () => ({ session, tabStorage: sessionStorage }));
  useDraft = await import('./use-draft');
});
afterEach(() => {
  cleanup();
  vi.doUnmock('./current');
  for (const { id } of toasts.list) toasts.dismiss(id);
});

async function expire() {
  parts.door.refresh.mockRejectedValue(new Error('refused'));
  await act(async () => {
    await session.renewAfterRefusal(session.token);
  });
  cleanup();
}

async function signInAs(email: string) {
  parts.door.login.mockResolvedValue(parts.grantOf(email));
  await session.signIn(email, 'secret');
}

describe('a form on the screen when the session ends', () => {
  it('is as it was after signing in again, but for the password', async () => {
    open();
    write('Name', 'Half of a na');
    write('Password', 'hunter2');
    write('Reason', 'because');
    await act(settle);
    await expire();
    await signInAs('olivia@salon.test');
    open();
    expect([field('Name').value, field('Password').value, field('Reason').value]).toEqual([
      'Half of a na',
      '',
      'because',
    ]);
  });

  it('is empty for the next person, and after signing out on purpose', async () => {
    open();
    write('Reason', 'because');
    await expire();
    await signInAs('other@salon.test');
    open();
    expect(field('Reason').value).toBe('');
    write('Reason', 'because');
    await act(() => session.signOut());
    cleanup();
    await signInAs('other@salon.test');
    open();
    expect(field('Reason').value).toBe('');
  });

  it('is not taken for the form of another page', async () => {
    open('/my/account');
    write('Reason', 'because');
    await expire();
    await signInAs('olivia@salon.test');
    open('/b1');
    expect(field('Reason').value).toBe('');
  });
});

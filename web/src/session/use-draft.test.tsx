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

function Step() {
  const form = useForm({ defaultValues: { name: '', secret: '' } });
  useDraft.useKeptForm('step', form, { overReload: true });
  const [reason, setReason] = useDraft.useKeptText('reason of the step', '', { overReload: true });
  const [{ count }, change] = useDraft.useKeptValues(
    'counts',
    { count: '', unit: 'ml' },
    { overReload: true },
  );
  return (
    <form>
      <input aria-label="Name" {...form.register('name')} />
      <input aria-label="Secret" {...form.register('secret')} />
      <input aria-label="Reason" value={reason} onChange={(event) => setReason(event.target.value)} />
      <input
        aria-label="Count"
        value={count}
        onChange={({ target }) => change((before) => ({ ...before, count: target.value }))}
      />
    </form>
  );
}

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

const open = (path = '/my/account', form = <Form />) =>
  render(<MemoryRouter initialEntries={[path]}>{form}</MemoryRouter>);
const openStep = () => open('/admin/businesses/create', <Step />);
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

function setVisibility(state: DocumentVisibilityState) {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** The page goes, and its scripts begin anew. */
async function reload() {
  window.dispatchEvent(new Event('pagehide'));
  cleanup();
  vi.resetModules();
  vi.doMock('./current', () => ({ session, tabStorage: sessionStorage }));
  useDraft = await import('./use-draft');
}

const held = () => [field('Name').value, field('Secret').value, field('Reason').value, field('Count').value];
const kept = () => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'));

async function fillStep() {
  openStep();
  write('Name', 'Willow');
  write('Secret', 'hunter2');
  write('Reason', 'because');
  write('Count', '7');
  await act(settle);
}

describe('a form that is kept over a reload', () => {
  it('is as it was, but for its secret', async () => {
    await fillStep();
    await reload();
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('hunter2');
    openStep();
    expect(held()).toEqual(['Willow', '', 'because', '7']);
  });

  it('is as it was after a phone ended the page while it was out of sight', async () => {
    await fillStep();
    setVisibility('hidden');
    cleanup();
    setVisibility('visible');
    openStep();
    expect(held()).toEqual(['Willow', '', 'because', '7']);
  });

  it('is not kept once it is left on purpose', async () => {
    await fillStep();
    cleanup();
    await reload();
    openStep();
    expect(held()).toEqual(['', '', '', '']);
  });

  it('is not kept any more where the page came back by itself', async () => {
    await fillStep();
    window.dispatchEvent(new Event('pagehide'));
    expect(kept()).toHaveLength(3);
    window.dispatchEvent(new Event('pageshow'));
    expect(kept()).toEqual([]);
    setVisibility('hidden');
    expect(kept()).toHaveLength(3);
    setVisibility('visible');
    expect(kept()).toEqual([]);
  });

  it('is empty for another person of the same tab', async () => {
    await fillStep();
    await reload();
    await signInAs('other@salon.test');
    openStep();
    expect(held()).toEqual(['', '', '', '']);
  });

  it('leaves alone those that are kept over the end of the session alone', async () => {
    open();
    write('Reason', 'because');
    await reload();
    open();
    expect(field('Reason').value).toBe('');
  });
});

// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';

async function arriveAt(address: string) {
  window.history.replaceState(null, '', address);
  const fetched = vi.spyOn(globalThis, 'fetch');
  const { arrival } = await import('./arrival');
  expect(fetched).not.toHaveBeenCalled();
  return arrival;
}

beforeEach(() => {
  vi.resetModules();
});

describe('arriving from the provider', () => {
  it('takes what the address carries out of address and history', async () => {
    const before = window.history.length;
    const arrival = await arriveAt('/auth/callback?token=a.b.c&state=s&code=c&error=e#fragment');
    expect(arrival).toEqual({ token: 'a.b.c', state: 's', code: 'c', error: 'e' });
    expect(window.location.href).toBe(`${window.location.origin}/auth/callback`);
    expect(window.history.length).toBe(before);
  });

  it('reports what is missing', async () => {
    expect(await arriveAt('/auth/callback')).toEqual({ token: null, state: null, code: null, error: null });
  });

  it('leaves every other page alone', async () => {
    expect(await arriveAt('/reset-password?token=a')).toBeNull();
    expect(window.location.search).toBe('?token=a');
  });
});

import { describe, expect, it } from 'vitest';
import { PendingInvitation } from './pending-invitation';

function fakeStorage(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage;
}

const refusing = {
  getItem: () => {
    throw new Error('refused');
  },
  setItem: () => {
    throw new Error('refused');
  },
  removeItem: () => {
    throw new Error('refused');
  },
} as unknown as Storage;

describe('an invitation that waits for its person', () => {
  it('outlives a way out of the page and back', () => {
    const storage = fakeStorage();
    new PendingInvitation(storage).keep('token');
    expect(new PendingInvitation(storage).token).toBe('token');
  });

  it('is gone everywhere once it is dropped', () => {
    const storage = fakeStorage();
    const invitation = new PendingInvitation(storage);
    invitation.keep('token');
    invitation.drop();
    expect(invitation.token).toBe('');
    expect(new PendingInvitation(storage).token).toBe('');
  });

  it('lasts as long as the page where the browser keeps nothing', () => {
    for (const storage of [refusing, undefined]) {
      const invitation = new PendingInvitation(storage);
      invitation.keep('token');
      expect(invitation.token).toBe('token');
      invitation.drop();
      expect(invitation.token).toBe('');
    }
  });
});

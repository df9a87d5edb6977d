import { describe, expect, it } from 'vitest';
import { Pending } from './pending';

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

describe('a mailed link that waits for its person', () => {
  it('outlives a way out of the page and back', () => {
    const storage = fakeStorage();
    new Pending('link', storage).keep('token');
    expect(new Pending('link', storage).token).toBe('token');
  });

  it('is gone everywhere once it is dropped', () => {
    const storage = fakeStorage();
    const pending = new Pending('link', storage);
    pending.keep('token');
    pending.drop();
    expect(pending.token).toBe('');
    expect(new Pending('link', storage).token).toBe('');
  });

  it('is not mistaken for another kind of link', () => {
    const storage = fakeStorage();
    new Pending('link', storage).keep('token');
    expect(new Pending('another', storage).token).toBe('');
  });

  it('lasts as long as the page where the browser keeps nothing', () => {
    for (const storage of [refusing, undefined]) {
      const pending = new Pending('link', storage);
      pending.keep('token');
      expect(pending.token).toBe('token');
      pending.drop();
      expect(pending.token).toBe('');
    }
  });
});

import { describe, expect, it, vi } from 'vitest';
import { browserTabs } from './tabs';

describe('the tabs of a browser', () => {
  it('receive the messages of others, and not their own', async () => {
    const [here, there] = [browserTabs(), browserTabs()];
    const heardHere = vi.fn();
    here.onNews(heardHere);
    const heard = new Promise((resolve) => there.onNews(resolve));
    here.tell({ kind: 'ended', end: 'signedOut' });
    expect(await heard).toEqual({ kind: 'ended', end: 'signedOut' });
    expect(heardHere).not.toHaveBeenCalled();
  });

  it('send requests that set cookies one after the other', async () => {
    const request = vi.fn((_: string, run: () => unknown) => run());
    vi.stubGlobal('navigator', { locks: { request } });
    expect(await browserTabs().alone(async () => 'answer')).toBe('answer');
    expect(request.mock.calls.map(([name]) => name)).toEqual(['session']);
    vi.stubGlobal('navigator', {});
    expect(await browserTabs().alone(async () => 'without locks')).toBe('without locks');
    vi.unstubAllGlobals();
  });
});

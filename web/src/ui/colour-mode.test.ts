// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';

let systemIsDark: boolean;
let systemChanged: () => void;

async function load() {
  vi.resetModules();
  return import('./colour-mode');
}
const looks = () => document.documentElement.className;

beforeEach(() => {
  localStorage.clear();
  document.documentElement.className = '';
  systemIsDark = false;
  window.matchMedia = ((query: string) => ({
    get matches() {
      return query.includes('dark') && systemIsDark;
    },
    addEventListener: (_: string, listener: () => void) => {
      systemChanged = listener;
    },
  })) as never;
});

describe('the colour mode', () => {
  it('is kept in local storage over a reload', async () => {
    const before = await load();
    before.setColourMode('dark');
    expect(looks()).toBe('dark');
    expect(localStorage.getItem('colour-mode')).toBe('dark');
    expect((await load()).colourMode()).toBe('dark');
  });

  it('follows the system until the user chooses a mode, and again when they choose the system', async () => {
    const mode = await load();
    mode.followSystemColours();
    expect(mode.colourMode()).toBe('system');
    systemIsDark = true;
    systemChanged();
    expect(looks()).toBe('dark');
    mode.setColourMode('light');
    systemChanged();
    expect(looks()).toBe('light');
    mode.setColourMode('system');
    expect(looks()).toBe('dark');
    expect(localStorage.getItem('colour-mode')).toBeNull();
  });

  it('takes what it does not know for the system’s', async () => {
    localStorage.setItem('colour-mode', 'sepia');
    expect((await load()).colourMode()).toBe('system');
  });
});

// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { UiProvider } from '../ui/provider';

const fetched = vi.hoisted(() => ({ launcher: 0, panels: 0 }));

vi.mock('./launcher', async (original) => {
  fetched.launcher += 1;
  return original();
});
vi.mock('./cache-panel', () => {
  fetched.panels += 1;
  return { default: () => <p>The cache panel</p> };
});
vi.mock('./auth-panel', () => {
  fetched.panels += 1;
  return { default: () => <p>The auth panel</p> };
});

/** A busy machine takes its time to import. */
const PATIENT = { timeout: 15_000 };

/** The page as the door of such an installation hands it out. */
async function show(environment: string) {
  vi.resetModules();
  document.getElementById('runtime-config')?.remove();
  const configuration = Object.assign(document.createElement('script'), { id: 'runtime-config' });
  configuration.type = 'application/json';
  configuration.textContent = JSON.stringify({ environment });
  document.head.append(configuration);
  const { DevPanels } = await import('./dev-panels');
  return render(
    <UiProvider nonce={undefined}>
      <DevPanels />
    </UiProvider>,
  );
}

beforeEach(() => {
  fetched.launcher = 0;
  fetched.panels = 0;
});
afterEach(cleanup);

it.each(['production', 'test'])('neither shows nor fetches anything in %s', async (environment) => {
  const { container } = await show(environment);
  await new Promise((resolve) => setImmediate(resolve));
  expect(container.querySelector('aside, section, button')).toBeNull();
  expect(fetched).toEqual({ launcher: 0, panels: 0 });
});

it('offers both panels while developing, and fetches one when it is opened', async () => {
  await show('development');
  const cache = await screen.findByRole('button', { name: 'Cache panel' }, PATIENT);
  const auth = screen.getByRole('button', { name: 'Auth panel' });
  expect(fetched.panels).toBe(0);
  cache.click();
  expect(await screen.findByText('The cache panel', {}, PATIENT)).toBeTruthy();
  expect([cache, auth].map((button) => button.getAttribute('aria-expanded'))).toEqual(['true', 'false']);
  auth.click();
  expect(await screen.findByText('The auth panel', {}, PATIENT)).toBeTruthy();
  expect(screen.queryByText('The cache panel')).toBeNull();
  auth.click();
  await vi.waitFor(() => expect(screen.queryByText('The auth panel')).toBeNull());
});

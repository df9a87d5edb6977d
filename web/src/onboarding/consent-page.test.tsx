// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount } from '../testing/mount';

const environment = vi.hoisted(() => ({ now: 'production' }));
vi.mock('../runtime', () => ({ runtime: () => ({ environment: environment.now }) }));

const { Component } = await import('./consent-page');

function open(search: string) {
  mount(
    [
      { path: '/onboarding/oauth-mock', element: <Component /> },
      { path: '*', element: null },
    ],
    `/onboarding/oauth-mock${search}`,
  );
}

beforeEach(fillJsdomGaps);
afterEach(cleanup);

it('asks where a question was begun, and says that it is simulated', async () => {
  environment.now = 'development';
  open('?state=s1');
  await screen.findByText(/^This is simulated/);
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Deny', 'Allow']);
});

it('asks nothing in production, and nothing without a question', async () => {
  for (const [now, search] of [
    ['production', '?state=s1'],
    ['development', ''],
  ] as const) {
    environment.now = now;
    open(search);
    await screen.findByText('Nothing was asked');
    expect(screen.queryByRole('button')).toBeNull();
    cleanup();
  }
});

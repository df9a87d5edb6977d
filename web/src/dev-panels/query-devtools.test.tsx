// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { UiProvider } from '../ui/provider';

vi.mock('@tanstack/react-query-devtools/production', () => ({ ReactQueryDevtools: () => null }));
vi.mock('../api/query-client', () => ({ queries: {} }));

const { default: QueryDevtools } = await import('./query-devtools');

afterEach(cleanup);

it('the navigation leaves room for the button while it is there', () => {
  const room = () => document.documentElement.style.getPropertyValue('--devtools');
  const { unmount } = render(
    <UiProvider nonce={undefined}>
      <QueryDevtools />
    </UiProvider>,
  );
  expect(room()).not.toBe('');
  unmount();
  expect(room()).toBe('');
});

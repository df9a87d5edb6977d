import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { configure, render } from '@testing-library/react';
import { createMemoryRouter, type InitialEntry, type RouteObject, RouterProvider } from 'react-router';
import { vi } from 'vitest';
import { ApiError, type FieldViolation } from '../http/errors';
import { UiProvider } from '../ui/provider';

/** Long enough for a busy machine. */
configure({ asyncUtilTimeout: 5000 });

/** Renders routes at an address, with all providers of a page. */
export function mount(routes: RouteObject[], at: InitialEntry) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createMemoryRouter(routes, { initialEntries: [at] });
  render(
    <UiProvider nonce={undefined}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </UiProvider>,
  );
  return { client, router };
}

/** A refusal of the server. */
export function refused(
  status: number,
  reason: string,
  message = '',
  violations: FieldViolation[] = [],
): ApiError {
  return new ApiError(message, { kind: 'refused', status, reason, metadata: {}, violations });
}

/** jsdom knows the element and not its methods. */
export function dialogsWork(): void {
  HTMLDialogElement.prototype.showModal = vi.fn(function showModal(this: HTMLDialogElement) {
    this.open = true;
  });
  HTMLDialogElement.prototype.close = vi.fn(function close(this: HTMLDialogElement) {
    this.open = false;
  });
}

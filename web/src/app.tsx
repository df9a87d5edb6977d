import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { RouterProvider } from 'react-router/dom';
import { queries } from './api/query-client';
import { paths } from './paths';
import { createRouter } from './router';
import { cspNonce, runtime } from './runtime';
import { announceSession } from './session/announce';
import { session } from './session/current';
import { followSystemColours } from './ui/colour-mode';
import { UiProvider } from './ui/provider';
import { sessionToasts, toasts } from './ui/toasts';

const nonce = cspNonce();
const router = createRouter();

followSystemColours();
announceSession({
  session,
  queries,
  toasts: sessionToasts,
  screenToasts: toasts,
  startOver: () => window.location.assign(paths.root),
});

/** A production build lacks even the module. */
const QueryDevtools =
  import.meta.env.MODE === 'production' ? null : lazy(() => import('./dev-panels/query-devtools'));

export function App() {
  return (
    <UiProvider nonce={nonce}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        {QueryDevtools && runtime().environment !== 'production' && (
          <Suspense>
            <QueryDevtools />
          </Suspense>
        )}
      </QueryClientProvider>
    </UiProvider>
  );
}

import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router/dom';
import { queries } from './api/query-client';
import { createRouter } from './router';
import { cspNonce } from './runtime';
import { session } from './session/current';
import { followSystemColours } from './ui/colour-mode';
import { UiProvider } from './ui/provider';
import { sessionToasts } from './ui/toasts';

const nonce = cspNonce();
const router = createRouter();

followSystemColours();

session.onEnd((end, hadSession) => {
  // The next person at this computer sees nothing of this one.
  queries.clear();
  if (end === 'expired' && hadSession) sessionToasts.show('bad', 'Session expired, please log in again.');
});

export function App() {
  return (
    <UiProvider nonce={nonce}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </UiProvider>
  );
}

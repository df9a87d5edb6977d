import { paths } from '../../paths';

/** What the address of the callback carried. */
export type Arrival = {
  code: string | null;
  state: string | null;
  token: string | null;
  error: string | null;
};

/**
 * Takes the callback's parameters out of address and history. It runs before
 * anything else does: no later request, referrer or way back may show them.
 */
function takeArrival(): Arrival | null {
  if (window.location.pathname !== paths.authCallback) return null;
  const parameters = new URLSearchParams(window.location.search);
  window.history.replaceState(window.history.state, '', paths.authCallback);
  return {
    code: parameters.get('code'),
    state: parameters.get('state'),
    token: parameters.get('token'),
    error: parameters.get('error'),
  };
}

/** How this page was reached from the provider; null on every other page. */
export const arrival = takeArrival();

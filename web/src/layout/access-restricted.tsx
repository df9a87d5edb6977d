import { lazy, Suspense } from 'react';

/** Rarely shown, so it is loaded on demand. */
const RestrictedNotice = lazy(() => import('./restricted-notice'));

/** Shown to a signed-in user whose role is too low for the page. */
export function AccessRestricted({ signedIn }: { signedIn: boolean }) {
  return (
    <Suspense>
      <RestrictedNotice signedIn={signedIn} />
    </Suspense>
  );
}

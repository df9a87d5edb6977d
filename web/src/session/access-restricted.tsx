import { lazy, Suspense } from 'react';

/** Seldom seen, so no page waits for it. */
const RestrictedNotice = lazy(() => import('./restricted-notice'));

/** The person is known, and this page is not for them. */
export function AccessRestricted({ signedIn }: { signedIn: boolean }) {
  return (
    <Suspense>
      <RestrictedNotice signedIn={signedIn} />
    </Suspense>
  );
}

import { lazy, Suspense, useEffect } from 'react';
import { Outlet, ScrollRestoration, useNavigation } from 'react-router';
import { DeviceQuestion } from './account/device-question';
import { pageStands } from './api/warm';
import { DevPanels } from './dev-panels/dev-panels';
import { useSession } from './session/use-session';
import { ProgressLine } from './ui/progress-line';
import { Toasters } from './ui/toaster';

/** Rarely shown, so it is loaded on demand. */
const EndingNote = lazy(() => import('./sign-in/ending-note'));

/** What every page shares. */
export function Root() {
  const navigation = useNavigation();
  const { endingAt } = useSession();
  useEffect(pageStands, []);
  return (
    <>
      <ProgressLine active={navigation.state !== 'idle'} />
      {endingAt !== null && (
        <Suspense>
          <EndingNote endingAt={endingAt} />
        </Suspense>
      )}
      <Outlet />
      <Toasters />
      <DeviceQuestion />
      <DevPanels />
      <ScrollRestoration />
    </>
  );
}

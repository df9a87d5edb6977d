import { createBrowserRouter } from 'react-router';
import { aboutRoutes } from './about/routes';
import { accountRoutes } from './account/routes';
import { adminRoutes } from './admin/routes';
import { businessRoutes } from './businesses/routes';
import { onboardingRoutes } from './onboarding/routes';
import { registrationRoutes } from './registration/routes';
import { sessionRoutes } from './session/routes';
import { NotFoundPage } from './shell/not-found';
import { Crash, FirstLoad, PageCrash, Root } from './shell/root';
import { showcaseRoutes } from './showcase/routes';

/** Every address of the application, each noun bringing its own. */
export function createRouter() {
  return createBrowserRouter([
    {
      path: '/',
      Component: Root,
      HydrateFallback: FirstLoad,
      ErrorBoundary: Crash,
      children: [
        ...onboardingRoutes,
        ...sessionRoutes,
        ...aboutRoutes,
        ...showcaseRoutes,
        {
          lazy: () => import('./api/query-provider'),
          children: [
            ...registrationRoutes,
            {
              id: 'workplace',
              lazy: () => import('./shell/workplace'),
              // A page that throws keeps the frame.
              children: [
                { ErrorBoundary: PageCrash, children: [...businessRoutes, ...accountRoutes, ...adminRoutes] },
              ],
            },
          ],
        },
        { path: '*', Component: NotFoundPage },
      ],
    },
  ]);
}

import { createBrowserRouter } from 'react-router';
import { adminRoutes } from './admin/routes';
import { businessRoutes } from './businesses/routes';
import { onboardingRoutes } from './onboarding/routes';
import { sessionRoutes } from './session/routes';
import { NotFoundPage } from './shell/not-found';
import { Crash, FirstLoad, PageCrash, Root } from './shell/root';

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
        {
          lazy: () => import('./shell/workplace'),
          // A page that breaks leaves the frame standing.
          children: [{ ErrorBoundary: PageCrash, children: [...businessRoutes, ...adminRoutes] }],
        },
        { path: '*', Component: NotFoundPage },
      ],
    },
  ]);
}

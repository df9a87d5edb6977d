import { createBrowserRouter } from 'react-router';
import { aboutRoutes } from './about/routes';
import { accountRoutes } from './account/routes';
import { adminRoutes } from './admin/routes';
import { adminAgentRoutes, agentRoutes } from './agent/routes';
import { callRoutes } from './calls/routes';
import { customerRoutes } from './customers/routes';
import { demoRoutes } from './demo/routes';
import { adminDependencyRoutes, dependencyRoutes } from './dependencies/routes';
import { detailsRoutes } from './details/routes';
import { adminEmployeeRoutes } from './employee-management/routes';
import { adminEventRoutes } from './events/routes';
import { homeRoutes } from './home/routes';
import { inboxRoutes } from './inbox/routes';
import { adminInsightRoutes, insightRoutes } from './insights/routes';
import { adminIntelligenceRoutes, intelligenceRoutes } from './intelligence/routes';
import { itemRoutes } from './items/routes';
import { Crash, PageCrash } from './layout/crash';
import type { RouteHandle } from './layout/crumbs';
import { FirstLoad } from './layout/first-load';
import { NotFoundPage } from './layout/not-found';
import { memberRoutes } from './members/routes';
import { myBusinessesRoutes } from './my-businesses/routes';
import { onboardingFlowRoutes, onboardingRoutes } from './onboarding/routes';
import { adminPairingRoutes, pairingRoutes } from './pairings/routes';
import { paths } from './paths';
import { adminProviderRoutes, providerRoutes } from './providers/routes';
import { registrationRoutes } from './registration/routes';
import { Root } from './root';
import { adminScheduleRoutes, scheduleRoutes } from './schedule/routes';
import { adminScheduleCheckRoutes, scheduleCheckRoutes } from './schedule-check/routes';
import { serviceRoutes } from './services/routes';
import { adminSetupRoutes } from './setup/routes';
import { showcaseRoutes } from './showcase/routes';
import { signInRoutes } from './sign-in/routes';
import { adminSyncRoutes, syncRoutes } from './sync/routes';
import { adminTeamRoutes, teamRoutes } from './team/routes';
import { appointmentRoutes } from './visit/routes';
import { waitlistRoutes } from './waitlist/routes';

/** Pages of one business. */
const businessRoute = {
  path: ':businessId',
  handle: {
    crumb: ({ businessId = '' }, businessName) => ({
      label: businessName || 'Home',
      to: paths.business(businessId),
    }),
  } satisfies RouteHandle,
  children: [
    ...homeRoutes,
    ...scheduleRoutes,
    ...callRoutes,
    ...appointmentRoutes,
    ...customerRoutes,
    ...itemRoutes,
    ...serviceRoutes,
    ...waitlistRoutes,
    ...inboxRoutes,
    ...dependencyRoutes,
    ...pairingRoutes,
    ...scheduleCheckRoutes,
    ...intelligenceRoutes,
    ...insightRoutes,
    ...agentRoutes,
    ...teamRoutes,
    ...detailsRoutes,
    ...syncRoutes,
    ...providerRoutes,
    ...memberRoutes,
  ],
};

/** Pages of administrators. */
const adminRoute = {
  path: 'admin',
  handle: {
    roles: ['ADMIN'],
    crumb: () => ({ label: 'Admin', to: paths.admin }),
  } satisfies RouteHandle,
  children: [
    ...adminRoutes,
    ...adminSetupRoutes,
    ...adminScheduleRoutes,
    ...adminTeamRoutes,
    ...adminEmployeeRoutes,
    ...adminDependencyRoutes,
    ...adminPairingRoutes,
    ...adminScheduleCheckRoutes,
    ...adminIntelligenceRoutes,
    ...adminInsightRoutes,
    ...adminSyncRoutes,
    ...adminAgentRoutes,
    ...adminEventRoutes,
    ...adminProviderRoutes,
  ],
};

/** Every address of the application, composed of the routes of each product noun. */
export function createRouter() {
  return createBrowserRouter([
    {
      path: '/',
      Component: Root,
      HydrateFallback: FirstLoad,
      ErrorBoundary: Crash,
      children: [
        ...onboardingRoutes,
        ...signInRoutes,
        ...aboutRoutes,
        ...demoRoutes,
        ...showcaseRoutes,
        {
          lazy: () => import('./api/query-provider'),
          children: [
            ...registrationRoutes,
            ...onboardingFlowRoutes,
            {
              id: 'workplace',
              lazy: () => import('./workplace'),
              // A page that throws keeps the frame.
              children: [
                {
                  ErrorBoundary: PageCrash,
                  children: [...myBusinessesRoutes, businessRoute, ...accountRoutes, adminRoute],
                },
              ],
            },
          ],
        },
        { path: '*', Component: NotFoundPage },
      ],
    },
  ]);
}

import { type RouteObject, redirect } from 'react-router';
import { paths } from '../paths';

export const onboardingRoutes: RouteObject[] = [
  { index: true, loader: () => redirect(paths.onboarding) },
  { path: 'onboarding', lazy: () => import('./welcome-page') },
];

/** The pages of onboarding that read; open to everyone, since a visitor signs in on them. */
export const onboardingFlowRoutes: RouteObject[] = [
  { path: 'onboarding/flow', lazy: () => import('./flow-page') },
  { path: 'onboarding/oauth-mock', lazy: () => import('./consent-page') },
  { path: 'onboarding/oauth-callback', lazy: () => import('./callback-page') },
];

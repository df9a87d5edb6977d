import { type RouteObject, redirect } from 'react-router';
import { paths } from '../paths';

export const onboardingRoutes: RouteObject[] = [
  { index: true, loader: () => redirect(paths.onboarding) },
  { path: 'onboarding', lazy: () => import('./welcome-page') },
];

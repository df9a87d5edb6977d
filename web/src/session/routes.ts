import type { RouteObject } from 'react-router';

export const sessionRoutes: RouteObject[] = [
  { path: 'login', lazy: () => import('./login-page') },
  { path: 'reset-password', lazy: () => import('./reset-password-page') },
];

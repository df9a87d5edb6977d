import type { RouteObject } from 'react-router';

export const signInRoutes: RouteObject[] = [
  { path: 'login', lazy: () => import('./login-page') },
  { path: 'auth/callback', lazy: () => import('./callback-page') },
  { path: 'forgot-password', lazy: () => import('./forgot-password-page') },
  { path: 'reset-password', lazy: () => import('./reset-password-page') },
];

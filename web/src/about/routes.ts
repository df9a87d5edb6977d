import type { RouteObject } from 'react-router';

/** Pages about the product itself, open to everybody. */
export const aboutRoutes: RouteObject[] = [
  { path: 'privacy', lazy: () => import('./privacy-page') },
  { path: 'debug', lazy: () => import('./debug-page') },
];

import type { RouteObject } from 'react-router';

/** Public pages about the product itself. */
export const aboutRoutes: RouteObject[] = [
  { path: 'privacy', lazy: () => import('./privacy-page') },
  { path: 'debug', lazy: () => import('./debug-page') },
];

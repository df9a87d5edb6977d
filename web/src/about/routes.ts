import type { RouteObject } from 'react-router';
import { runtime } from '../runtime';

/** Pages about the product itself, open to everybody. The debug page does not exist in production. */
export const aboutRoutes = (): RouteObject[] => [
  { path: 'privacy', lazy: () => import('./privacy-page') },
  ...(runtime().environment === 'production'
    ? []
    : [{ path: 'debug', lazy: () => import('./debug-page') } satisfies RouteObject]),
];

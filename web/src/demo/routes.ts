import type { RouteObject } from 'react-router';

/** A public walk through a sample call. */
export const demoRoutes: RouteObject[] = [{ path: 'demo', lazy: () => import('./demo-page') }];

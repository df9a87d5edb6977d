import type { RouteObject } from 'react-router';

const lazy = () => import('./showcase-page');

/** The living documentation of `ui/`, public at both of its addresses. */
export const showcaseRoutes: RouteObject[] = [
  { path: 'components', lazy },
  { path: 'admin/components', lazy },
];

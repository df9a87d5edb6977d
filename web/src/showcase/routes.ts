import type { RouteObject } from 'react-router';

const lazy = () => import('./showcase-page');

/** The living documentation of `ui/`, open to everybody at both of its addresses. */
export const showcaseRoutes: RouteObject[] = [
  { path: 'components', lazy },
  { path: 'admin/components', lazy },
];

import type { RouteObject } from 'react-router';

export const registrationRoutes: RouteObject[] = [
  { path: 'register', lazy: () => import('./register-page') },
];

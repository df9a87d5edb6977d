import { lazy, Suspense } from 'react';
import { runtime } from '../runtime';

const Launcher = lazy(() => import('./launcher'));

/** Aids for developers, loaded and shown in the development environment only. */
export function DevPanels() {
  if (runtime().environment !== 'development') return null;
  return (
    <Suspense fallback={null}>
      <Launcher />
    </Suspense>
  );
}

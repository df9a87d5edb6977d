import { lazy, Suspense } from 'react';
import { runtime } from '../runtime';

const Launcher = lazy(() => import('./launcher'));

/** Aids for developers. Where nobody develops they are neither shown nor fetched. */
export function DevPanels() {
  if (runtime().environment !== 'development') return null;
  return (
    <Suspense fallback={null}>
      <Launcher />
    </Suspense>
  );
}

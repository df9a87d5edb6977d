import { lazy, Suspense } from 'react';
import { runtime } from '../runtime';

/** A production build lacks the panels. */
const Launcher = import.meta.env.MODE === 'production' ? null : lazy(() => import('./launcher'));

/** Aids for developers, loaded and shown in the development environment only. */
export function DevPanels() {
  if (!Launcher || runtime().environment !== 'development') return null;
  return (
    <Suspense fallback={null}>
      <Launcher />
    </Suspense>
  );
}

import { type ReactNode, useEffect, useState } from 'react';
import { useNavigation } from 'react-router';
import { SKELETON_DELAY_MS } from '../api/warm';
import { PageSkeleton, skeletonFor } from './skeletons';

/** Keeps the previous page while the next one loads, but no longer than the skeleton's delay. */
export function SlowPage({ children }: { children: ReactNode }) {
  const { location } = useNavigation();
  const target = location?.pathname;
  const [slow, setSlow] = useState<string>();
  useEffect(() => {
    if (!target) return setSlow(undefined);
    const timer = setTimeout(() => setSlow(target), SKELETON_DELAY_MS);
    return () => clearTimeout(timer);
  }, [target]);
  return target && slow === target ? <PageSkeleton kind={skeletonFor(target)} /> : children;
}

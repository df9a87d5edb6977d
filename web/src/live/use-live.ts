import { useEffect } from 'react';
import { afterwards } from '../api/warm';

const current = () => import('./current');

/** Follows these businesses while the component is mounted. The socket's code is loaded after the page's. */
export function useLive(businessIds: readonly string[], signedIn: boolean): void {
  const ids = signedIn ? businessIds.join() : '';
  useEffect(() => {
    let wanted = true;
    void afterwards(current).then(({ live }) => wanted && live.follow(ids ? ids.split(',') : []));
    return () => {
      wanted = false;
    };
  }, [ids]);

  useEffect(
    () => () => {
      void afterwards(current).then(({ live }) => live.stop());
    },
    [],
  );
}

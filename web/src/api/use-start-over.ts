import { useState } from 'react';

/**
 * The version of a record that a form changes. When it was refused as stale and `now` is a newer one, the form can
 * start over from that.
 */
export function useStartOver<R extends { version: bigint }>(
  opened: R | undefined,
  now: R | undefined,
  reset: (to: R) => void,
) {
  const [read, setRead] = useState(opened);
  const [stale, setStale] = useState(false);
  const startOver = (to: R) => {
    reset(to);
    setRead(to);
    setStale(false);
  };
  return {
    read,
    onStale: () => setStale(true),
    startOver: stale && now && now.version !== read?.version ? () => startOver(now) : undefined,
  };
}

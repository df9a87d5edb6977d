import { useLayoutEffect, useRef } from 'react';

/** Within this distance of the end, the reader follows what is said. */
const NEAR_PX = 48;

/** Keeps the end of a box that scrolls in sight as what it holds grows, until the reader scrolls up in it. */
export function useEndInSight() {
  const box = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  useLayoutEffect(() => {
    if (box.current && following.current) box.current.scrollTop = box.current.scrollHeight;
  });
  return {
    box: {
      ref: box,
      onScroll: () => {
        const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = box.current ?? {};
        following.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
      },
    },
    /** A reader who says something waits for the answer. */
    follow: () => {
      following.current = true;
    },
  };
}

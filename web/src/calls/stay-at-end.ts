import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Within this distance of the end, the reader follows the call. */
const NEAR_PX = 120;

/**
 * Keeps the end of a live conversation in sight as it grows, until the reader scrolls up. `end` stands behind its last
 * line; `jump` goes there and follows again.
 */
export function useStayAtEnd(live: boolean, length: number) {
  const end = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(true);

  useEffect(() => {
    if (!live) return;
    const look = () => setFollowing(isNear(end));
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [live]);

  useLayoutEffect(() => {
    if (live && following && length > 0) show(end);
  }, [live, following, length]);

  return {
    end,
    /** The reader is elsewhere while the call goes on. */
    left: live && !following,
    jump: () => {
      setFollowing(true);
      show(end);
    },
  };
}

const show = (end: RefObject<HTMLElement | null>) => end.current?.scrollIntoView({ block: 'end' });

function isNear({ current }: RefObject<HTMLElement | null>): boolean {
  return !current || current.getBoundingClientRect().bottom <= window.innerHeight + NEAR_PX;
}

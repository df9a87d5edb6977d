import { useEffect, useLayoutEffect, useRef } from 'react';

/** Within this distance of the end, the reader is following the call. */
const NEAR_PX = 200;

function distanceToEnd(): number {
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
  return scrollHeight - clientHeight - scrollTop;
}

/** Keeps the end of a growing page in sight for a reader who follows it, and leaves one who scrolled up alone. */
export function useStayAtEnd(following: boolean, length: number): void {
  const readingAlong = useRef(false);

  useEffect(() => {
    if (!following) return;
    const look = () => {
      readingAlong.current = document.documentElement.scrollTop > 0 && distanceToEnd() < NEAR_PX;
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [following]);

  useLayoutEffect(() => {
    if (following && readingAlong.current && length > 0) window.scrollBy({ top: distanceToEnd() });
  }, [following, length]);
}

import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

/** Within this distance of the end, the reader follows the call. */
const NEAR_PX = 120;

/**
 * Opens a live conversation at its end and keeps that in sight as it grows, until the reader scrolls away. `end` stands
 * behind its last line; `jump` goes there and follows again.
 */
export function useStayAtEnd(live: boolean, length: number) {
  const end = useRef<HTMLDivElement>(null);
  /** How many lines there were when the reader left the end. */
  const [leftAt, setLeftAt] = useState<number>();
  const following = leftAt === undefined;

  const look = useEffectEvent(() => setLeftAt((known) => (isNear(end) ? undefined : (known ?? length))));
  useEffect(() => {
    if (!live) return;
    const listen = () => look();
    // The router scrolls a new page to its top; only what comes after that is the reader's.
    const frame = requestAnimationFrame(() => {
      show(end);
      window.addEventListener('scroll', listen, { passive: true });
    });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', listen);
    };
  }, [live]);

  useLayoutEffect(() => {
    if (live && following && length > 0) show(end);
  }, [live, following, length]);

  return {
    end,
    /** The reader is elsewhere while the call goes on. */
    left: live && !following,
    /** Lines that came since the reader left the end. */
    unseen: following ? 0 : Math.max(0, length - leftAt),
    jump: () => {
      setLeftAt(undefined);
      show(end);
      // The button that was pressed goes: Tab continues from here.
      end.current?.focus({ preventScroll: true });
    },
  };
}

const show = (end: RefObject<HTMLElement | null>) => end.current?.scrollIntoView({ block: 'nearest' });

/** Further down, the reader is below the conversation, and stays there. */
function isNear({ current }: RefObject<HTMLElement | null>): boolean {
  if (!current) return true;
  const { bottom } = current.getBoundingClientRect();
  return bottom >= 0 && bottom <= window.innerHeight + NEAR_PX;
}

import { type RefObject, useLayoutEffect, useRef } from 'react';

/** What stands at the foot of every page, for those who stand above it. */
export const FOOTING = 'var(--footing, 0px)';

/** The height that the query devtools' button takes from the foot of the screen; none in a production build. */
export const DEVTOOLS = 'var(--devtools, 0px)';

/** Tells the page how high the element at its foot is, while it is there. */
export function useFooting(): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(([entry]) => {
      const [size] = entry?.borderBoxSize ?? [];
      style.setProperty('--footing', `${Math.round(size?.blockSize ?? 0)}px`);
    });
    if (element.current) observer.observe(element.current);
    return () => {
      observer.disconnect();
      style.removeProperty('--footing');
    };
  }, []);
  return element;
}

import { type RefObject, useLayoutEffect } from 'react';

/** How much of the page is above an element that `useAbove` measures. */
export const ABOVE = 'var(--above, 220px)';

/** Tells the element, as `ABOVE`, how far below the top of the page it begins, whatever comes and goes over it. */
export function useAbove(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const measured = element.current;
    const main = measured?.closest('main');
    if (!measured || !main) return;
    const measure = () => {
      const top = measured.getBoundingClientRect().top + window.scrollY;
      measured.style.setProperty('--above', `${Math.round(top)}px`);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(main);
    return () => observer.disconnect();
  }, [element]);
}

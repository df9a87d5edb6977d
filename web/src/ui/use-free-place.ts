import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { clipped, covers, type Obstacle, shiftToFree } from './free-place';
import { modals } from './modals';

/** What people press or fill in. A page may be full of links; its buttons and fields come first. */
const CONTROLS =
  'a[href], button, input, select, textarea, summary, label:has(input), [role="button"], [role="option"]';
function weightOf(control: Element): number {
  // Where everything is taken, at least what is being filled in stays in sight.
  if (control === document.activeElement) return 100;
  return control.matches('a[href]') ? 1 : 10;
}

/** From the edges of the window. */
const MARGIN = 16;

/**
 * How far something that lies over the page goes from its edge of the window, so that it covers nothing that a
 * person may need next. It stays in its place for as long as nothing comes under it.
 */
export function useFreePlace(
  region: RefObject<HTMLElement | null>,
  edge: 'top' | 'bottom',
  shown: readonly unknown[],
) {
  const [shift, setShift] = useState(0);

  const place = useEffectEvent((anew: boolean) => {
    const element = region.current;
    if (!element || (!anew && element.matches(':hover, :focus-within'))) return;
    const { top, right, bottom, left } = element.getBoundingClientRect();
    if (top === bottom) return setShift(0);
    const area = { top: top - shift, right, bottom: bottom - shift, left };
    const most = edge === 'top' ? window.innerHeight - MARGIN - area.bottom : MARGIN - area.top;
    const obstacles = controlsBeside(element);
    const isCovering = obstacles.some((obstacle) => covers({ top, right, bottom, left }, obstacle));
    if (anew || isCovering) setShift(shiftToFree(area, obstacles, most));
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another one changes how high all of it is.
  useLayoutEffect(() => place(true), [shown]);

  const isShown = shown.length > 0;
  useEffect(() => {
    if (!isShown) return;
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => place(false));
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    const moving = ['animationend', 'scrollend', 'focusin'] as const;
    for (const event of moving) document.addEventListener(event, look, true);
    window.addEventListener('resize', look);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      for (const event of moving) document.removeEventListener(event, look, true);
      window.removeEventListener('resize', look);
    };
  }, [isShown]);

  return shift;
}

/** Controls that can be pressed and are in sight. */
function controlsBeside(region: Element): Obstacle[] {
  const { front } = modals;
  const screen = { top: 0, right: window.innerWidth, bottom: window.innerHeight, left: 0 };
  const frame = (front && clipped(front.element.getBoundingClientRect(), screen)) ?? screen;
  return [...(front?.element ?? document.body).querySelectorAll(CONTROLS)].flatMap((control) => {
    const seen = region.contains(control) ? undefined : clipped(control.getBoundingClientRect(), frame);
    return seen ? [{ ...seen, weight: weightOf(control) }] : [];
  });
}

import { useCallback, useState } from 'react';

/** An element counts as seen this far before it is in sight. */
const AHEAD = '200px';

/** Whether an element has come into sight: what it needs for itself is not worth a request before. */
export function useSeen<T extends Element>() {
  const [seen, setSeen] = useState(false);
  const ref = useCallback((element: T) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setSeen(true);
        observer.disconnect();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, seen };
}

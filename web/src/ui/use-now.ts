import { useEffect, useState } from 'react';

/**
 * The present, read again at every full step of the clock while the screen is up: with a minute, as the minute
 * changes. What is shown up to the end of a minute would otherwise miss what happens in the next one.
 */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(
        () => {
          setNow(new Date());
          wait();
        },
        everyMs - (Date.now() % everyMs),
      );
    };
    wait();
    return () => clearTimeout(timer);
  }, [everyMs]);
  return now;
}

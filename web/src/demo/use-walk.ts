import { useCallback, useEffect, useState } from 'react';
import { pauseAfter, SCRIPT } from './script';

/** Whether the person asked for little motion: then nothing plays by itself. */
function wantsStill(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** Where the walk through the call stands, and the ways on. */
export function useWalk() {
  const [shown, setShown] = useState(1);
  const [playing, setPlaying] = useState(() => !wantsStill());
  const over = shown >= SCRIPT.length;

  useEffect(() => {
    if (!playing || over) return;
    const timer = setTimeout(() => setShown((before) => before + 1), pauseAfter(shown - 1));
    return () => clearTimeout(timer);
  }, [playing, over, shown]);

  const step = useCallback((by: number) => {
    setPlaying(false);
    setShown((before) => Math.min(SCRIPT.length, Math.max(1, before + by)));
  }, []);
  const play = useCallback(() => {
    setShown((before) => (before >= SCRIPT.length ? 1 : before));
    setPlaying(true);
  }, []);
  const pause = useCallback(() => setPlaying(false), []);
  return { shown, over, playing: playing && !over, play, pause, step };
}

import { type RefObject, useCallback, useRef, useState } from 'react';

/** A recording that is heard beside its transcript. */
export type Playback = {
  audio: RefObject<HTMLAudioElement | null>;
  /** How far it is, in milliseconds; null before it was begun. */
  at: number | null;
  /** There is one to be heard. */
  offered: boolean;
  /** Says how its file is read; null once it is gone. */
  offer: (load: (() => void) | null) => void;
  /** The element knows how long it is, and goes where it was wanted to begin. */
  begin: () => void;
  follow: () => void;
  /** Someone moved it: what is heard then is shown, wherever the reader is. */
  moved: () => void;
  /** Plays on from there; its file is read before, if it wasn't yet. */
  playFrom: (milliseconds: number) => void;
  /** Shows the line that is heard now, unless the reader scrolled away from the one before. */
  show: (line: HTMLElement) => void;
};

export function usePlayback(): Playback {
  const audio = useRef<HTMLAudioElement>(null);
  const load = useRef<(() => void) | null>(null);
  const wanted = useRef<number | null>(null);
  const shown = useRef<HTMLElement | null>(null);
  const [at, setAt] = useState<number | null>(null);
  const [offered, setOffered] = useState(false);
  const offer = useCallback((how: (() => void) | null) => {
    load.current = how;
    setOffered(how !== null);
    if (how === null) setAt(null);
  }, []);
  const follow = () => {
    const { current } = audio;
    if (current) setAt(current.currentTime * 1000);
  };
  return {
    audio,
    at,
    offered,
    offer,
    begin: () => {
      const { current } = audio;
      if (current && wanted.current !== null) current.currentTime = wanted.current / 1000;
      wanted.current = null;
    },
    follow,
    moved: () => {
      shown.current = null;
      follow();
    },
    playFrom: (milliseconds) => {
      const { current } = audio;
      if (!current) {
        wanted.current = milliseconds;
        load.current?.();
        return;
      }
      current.currentTime = milliseconds / 1000;
      void current.play().catch(() => undefined);
    },
    show: (line) => {
      const before = shown.current;
      shown.current = line;
      if (!before?.isConnected || isInSight(before)) line.scrollIntoView({ block: 'nearest' });
    },
  };
}

function isInSight(line: HTMLElement): boolean {
  const { top, bottom } = line.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

/** Which of some offsets is being heard: the last that has begun; -1 where none has, or it is not known. */
export function heardAt(offsets: readonly number[], at: number | null): number {
  if (at === null) return -1;
  return offsets.reduce((heard, offset, index) => (offset >= 0 && offset <= at ? index : heard), -1);
}

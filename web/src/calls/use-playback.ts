import { type RefObject, useRef, useState } from 'react';

/** A recording that is heard beside its transcript. */
export type Playback = {
  audio: RefObject<HTMLAudioElement | null>;
  /** How far it is, in milliseconds; null before it was begun. */
  at: number | null;
  /** The element is there and can be told where to go. */
  ready: boolean;
  setReady: (ready: boolean) => void;
  follow: () => void;
  /** Plays on from there. */
  playFrom: (milliseconds: number) => void;
};

export function usePlayback(): Playback {
  const audio = useRef<HTMLAudioElement>(null);
  const [at, setAt] = useState<number | null>(null);
  const [ready, setReady] = useState(false);
  return {
    audio,
    at,
    ready,
    setReady,
    follow: () => {
      const { current } = audio;
      if (current) setAt(current.currentTime * 1000);
    },
    playFrom: (milliseconds) => {
      const { current } = audio;
      if (!current) return;
      current.currentTime = milliseconds / 1000;
      void current.play().catch(() => undefined);
    },
  };
}

/** Which of some offsets is being heard: the last that has begun; -1 where none has, or it is not known. */
export function heardAt(offsets: readonly number[], at: number | null): number {
  if (at === null) return -1;
  return offsets.reduce((heard, offset, index) => (offset >= 0 && offset <= at ? index : heard), -1);
}

import { useState } from 'react';

export const DENSITIES = ['compact', 'normal', 'roomy'] as const;
export type Density = (typeof DENSITIES)[number];

const KEY = 'schedule-density';

/** Pixels of an hour. */
const HOURS: Record<Density, number> = { compact: 56, normal: 88, roomy: 144 };

/** The same on a low screen, such as one enlarged to 200 %: four hours are in sight at once. */
const LOW_HOURS: Record<Density, number> = { compact: 44, normal: 52, roomy: 100 };

export const pxPerMinute = (density: Density, low: boolean) => (low ? LOW_HOURS : HOURS)[density] / 60;

/** Closer up, finer steps can be hit. */
export const snapOf = (density: Density) => (density === 'roomy' ? 5 : 15);

function kept(): Density {
  try {
    const value = localStorage.getItem(KEY);
    return DENSITIES.find((density) => density === value) ?? 'normal';
  } catch {
    return 'normal';
  }
}

/** How close up the day is shown; the browser remembers. */
export function useDensity(): [density: Density, change: (density: Density) => void] {
  const [density, setDensity] = useState(kept);
  return [
    density,
    (chosen) => {
      setDensity(chosen);
      try {
        localStorage.setItem(KEY, chosen);
      } catch {
        // Storage refused: the choice lasts as long as the page.
      }
    },
  ];
}

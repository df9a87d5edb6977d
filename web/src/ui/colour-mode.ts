export type ColourMode = 'light' | 'dark' | 'system';

/** The script in index.html reads the same key before the first paint. */
const KEY = 'colour-mode';
const listeners = new Set<() => void>();

function darkSystem(): MediaQueryList {
  return window.matchMedia('(prefers-color-scheme: dark)');
}

function kept(): ColourMode {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system';
  }
}

let current: ColourMode | undefined;

export function colourMode(): ColourMode {
  current ??= kept();
  return current;
}

export function setColourMode(mode: ColourMode): void {
  current = mode;
  try {
    if (mode === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, mode);
  } catch {
    // Storage refused: the choice lasts as long as the page.
  }
  paint();
  for (const listener of listeners) listener();
}

export function onColourMode(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function paint(): void {
  const mode = colourMode();
  const dark = mode === 'dark' || (mode === 'system' && darkSystem().matches);
  document.documentElement.classList.toggle('dark', dark);
  document.documentElement.classList.toggle('light', !dark);
}

/** Keeps following the operating system for those who never chose. */
export function followSystemColours(): void {
  darkSystem().addEventListener('change', paint);
}

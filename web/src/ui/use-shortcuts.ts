import { useEffect, useLayoutEffect, useRef } from 'react';

/** What keys do on a page, by their `key`; "undo" is Ctrl+Z, or Cmd+Z. */
export type Shortcuts = Readonly<Record<string, (() => void) | undefined>>;

/** Where keys have another meaning: behind a dialog, and while something is dragged. */
const TAKEN = 'dialog[open], [data-dragged]';

/** Keys of a whole page: not while a text field has the focus, nor where they have another meaning. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useLayoutEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target) || document.querySelector(TAKEN)) return;
      const undo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z';
      if (!undo && (event.ctrlKey || event.metaKey || event.altKey)) return;
      const run = latest.current[undo ? 'undo' : event.key];
      if (!run) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea, [contenteditable="true"]');
}

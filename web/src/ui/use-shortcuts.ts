import { useEffect, useLayoutEffect, useRef } from 'react';

/** What a key does, and the words for it in the list of shortcuts. */
export type Shortcut = { what: string; run: () => void };

/** The shortcuts of a page by their `key`; "undo" is Ctrl+Z, or Cmd+Z. */
export type Shortcuts = Readonly<Record<string, Shortcut | undefined>>;

/** Those of all parts that are on the screen. */
const onScreen = new Set<{ current: Shortcuts }>();

/** Every key that works at present, and what it does. */
export function shortcutsOnScreen(): { key: string; what: string }[] {
  return [...onScreen].flatMap(({ current }) =>
    Object.entries(current).flatMap(([key, shortcut]) => (shortcut ? [{ key, what: shortcut.what }] : [])),
  );
}

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
      const shortcut = latest.current[undo ? 'undo' : event.key];
      if (!shortcut) return;
      event.preventDefault();
      shortcut.run();
    };
    document.addEventListener('keydown', pressed);
    onScreen.add(latest);
    return () => {
      onScreen.delete(latest);
      document.removeEventListener('keydown', pressed);
    };
  }, []);
}

/** Where letters are typed, or choose among entries. */
const TAKES_LETTERS =
  'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="grid"]';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TAKES_LETTERS) !== null;
}

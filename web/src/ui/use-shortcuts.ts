import { useLayoutEffect, useRef } from 'react';
import { modals } from './modals';

/** What a key does, and the words for it in the list of shortcuts. */
type Shortcut = {
  what: string;
  run: () => void;
  /** It works in front of a drawer as well, which shows a record beside the page. */
  inDrawer?: boolean;
};

/** The shortcuts of a page by their `key`; "Ctrl+z" and the like stand for Cmd on a Mac as well. */
export type Shortcuts = Readonly<Record<string, Shortcut | undefined>>;

/** Those of all parts that are on the screen: a page's own meaning of a key comes before the shell's. */
const onScreen = { page: new Set<{ current: Shortcuts }>(), shell: new Set<{ current: Shortcuts }>() };
const inOrder = () => [...onScreen.page, ...onScreen.shell].map(({ current }) => current);

/** Every key that works at present, and what it does. */
export function shortcutsOnScreen(): { key: string; what: string }[] {
  const meanings = new Map<string, string>();
  for (const shortcuts of inOrder())
    for (const [key, shortcut] of Object.entries(shortcuts))
      if (shortcut && !meanings.has(key)) meanings.set(key, shortcut.what);
  return [...meanings].map(([key, what]) => ({ key, what }));
}

/** Keys of a whole page, or of the shell: not while a text field has the focus, nor where they have another meaning. */
export function useShortcuts(shortcuts: Shortcuts, of: 'page' | 'shell' = 'page'): void {
  const latest = useRef(shortcuts);
  useLayoutEffect(() => {
    latest.current = shortcuts;
  });
  // Before the page is painted: a key pressed as soon as it shows would else be lost.
  useLayoutEffect(() => {
    const parts = onScreen[of];
    parts.add(latest);
    document.addEventListener('keydown', pressed);
    return () => {
      parts.delete(latest);
      if (inOrder().length === 0) document.removeEventListener('keydown', pressed);
    };
  }, [of]);
}

/** The one listener: adding it again has no effect. */
function pressed(event: KeyboardEvent): void {
  if (event.defaultPrevented || isTyping(event.target) || document.querySelector('[data-dragged]')) return;
  const held = event.ctrlKey || event.metaKey;
  if (event.altKey || (held && event.shiftKey)) return;
  const key = held ? `Ctrl+${event.key.toLowerCase()}` : event.key;
  const shortcut = inOrder().find((shortcuts) => shortcuts[key])?.[key];
  if (!shortcut || (document.querySelector('dialog[open]') && !worksInFront(shortcut))) return;
  event.preventDefault();
  shortcut.run();
}

/** A dialog in the middle asks something: no key does anything else meanwhile. */
const worksInFront = ({ inDrawer = false }: Shortcut) => inDrawer && modals.front?.place === 'right';

/** Where letters are typed, or choose among entries. */
const TAKES_LETTERS =
  'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="grid"]';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TAKES_LETTERS) !== null;
}

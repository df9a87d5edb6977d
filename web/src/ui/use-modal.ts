import { type RefObject, useLayoutEffect, useRef } from 'react';
import { type Modal, modals } from './modals';

/** Opens the browser's own dialog while it is in the page. */
export function useModal(place: Modal['place'] = 'middle'): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  // Closed while it still stands in the page, it gives the focus back to where it was.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    element.showModal();
    beginAtTop(element);
    const closed = modals.opened(element, place);
    return () => {
      element.close();
      closed();
    };
  }, [place]);
  return dialog;
}

/** What is longer than the screen, on an enlarged page, is read from its beginning: its first button may be its end. */
function beginAtTop(dialog: HTMLDialogElement): void {
  if (dialog.scrollTop === 0 || document.activeElement?.matches('input, select, textarea')) return;
  dialog.tabIndex = -1;
  dialog.focus({ preventScroll: true });
  dialog.scrollTop = 0;
}

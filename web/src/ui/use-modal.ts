import { type RefObject, useLayoutEffect, useRef } from 'react';
import { modals } from './modals';

/** Opens the browser's own dialog while it is in the page. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  // Closed while it still stands in the page, it gives the focus back to where it was.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    element.showModal();
    const closed = modals.opened(element);
    return () => {
      element.close();
      closed();
    };
  }, []);
  return dialog;
}

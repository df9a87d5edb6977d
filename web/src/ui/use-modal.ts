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
    const closed = modals.opened(element, place);
    return () => {
      element.close();
      closed();
    };
  }, [place]);
  return dialog;
}

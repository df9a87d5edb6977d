import { type FocusEvent, type FormEvent, type PointerEvent, type RefObject, useRef, useState } from 'react';
import { Changes } from './changes';

/**
 * How a dialog is left by Escape, by its cross or by a click outside: at once if nothing was typed or chosen in it,
 * otherwise after a question. A button that says what it does, as "Cancel", asks nothing.
 */
export function useLeaving(
  dialog: RefObject<HTMLDialogElement | null>,
  onClose: () => void,
  { busy = false, chosen = false, finds = false } = {},
) {
  const [changes] = useState(() => new Changes());
  const [asking, setAsking] = useState(false);
  const pressedOutside = useRef(false);
  /** A dialog in front of this one keeps its own. */
  const isOwn = (target: EventTarget) =>
    target instanceof Element && target.closest('dialog') === dialog.current;
  const leave = () => {
    if (busy) return;
    if (chosen || (!finds && changes.any)) setAsking(true);
    else onClose();
  };
  return {
    asking,
    leave,
    stay: () => setAsking(false),
    /** For the dialog's frame. What was selected with the pointer may end outside: only a whole click is one. */
    watching: {
      onFocus: ({ target }: FocusEvent) => isOwn(target) && changes.focused(target),
      onInput: ({ target }: FormEvent) => isOwn(target) && changes.edited(target),
      onPointerDown: (event: PointerEvent) => {
        pressedOutside.current = event.target === dialog.current && isOutside(event, dialog.current);
      },
      onPointerUp: (event: PointerEvent) => {
        const outside = event.target === dialog.current && isOutside(event, dialog.current);
        if (pressedOutside.current && outside) leave();
        pressedOutside.current = false;
      },
    },
  };
}

function isOutside({ clientX, clientY }: PointerEvent, dialog: HTMLDialogElement): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

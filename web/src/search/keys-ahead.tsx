import { type Dispatch, type SetStateAction, useLayoutEffect } from 'react';

type KeysAheadProps = { onText: Dispatch<SetStateAction<string>>; onClose: () => void };

/** Takes the keys for a field that is not there yet: no letter is lost, nor taken for a shortcut of the page. */
export function KeysAhead({ onText, onClose }: KeysAheadProps) {
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') onClose();
      else if (event.key === 'Backspace') onText((text) => text.slice(0, -1));
      else if (event.key.length === 1) onText((text) => text + event.key);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', pressed, { capture: true });
    return () => window.removeEventListener('keydown', pressed, { capture: true });
  }, [onText, onClose]);
  return null;
}

/** Where letters mean something else. */
const TAKES_LETTERS =
  'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="grid"]';

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'defaultPrevented' | 'target'>;

/** `c` creates, as in calendars: unless a dialog is open or a text field has the focus. */
export function opensBooking({ key, ctrlKey, metaKey, altKey, defaultPrevented, target }: Press): boolean {
  if (key !== 'c' || ctrlKey || metaKey || altKey || defaultPrevented) return false;
  if (target instanceof Element && target.closest(TAKES_LETTERS)) return false;
  return document.querySelector('dialog[open]') === null;
}

/** Where letters mean something else. */
const TAKES_LETTERS =
  'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="grid"]';

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'defaultPrevented' | 'target'>;

/** `c` for creating, as calendars have it: with nothing in front, and no field that takes the letter. */
export function opensBooking({ key, ctrlKey, metaKey, altKey, defaultPrevented, target }: Press): boolean {
  if (key !== 'c' || ctrlKey || metaKey || altKey || defaultPrevented) return false;
  if (target instanceof Element && target.closest(TAKES_LETTERS)) return false;
  return document.querySelector('dialog[open]') === null;
}

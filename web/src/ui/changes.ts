type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isField = (target: EventTarget): target is Field =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;

const heldBy = (field: Field): string =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')
    ? String(field.checked)
    : field.value;

/** Which fields a person changed, each compared with what it held when the focus first came to it. */
export class Changes {
  /** Null where a field was changed before the focus came to it. */
  readonly #first = new WeakMap<Field, string | null>();
  readonly #edited = new Set<Field>();

  focused(target: EventTarget): void {
    if (isField(target) && !this.#first.has(target)) this.#first.set(target, heldBy(target));
  }

  edited(target: EventTarget): void {
    if (!isField(target)) return;
    if (!this.#first.has(target)) this.#first.set(target, null);
    this.#edited.add(target);
  }

  /** Whether something was typed or chosen. A field that is gone since was left with what was chosen in it. */
  get any(): boolean {
    return [...this.#edited].some((field) => !field.isConnected || this.#first.get(field) !== heldBy(field));
  }
}

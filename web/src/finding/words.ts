/** Accents and case are for writing, not for finding. */
export const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

export const digits = (text: string) => text.replace(/\D/g, '');

/** Whether words of a text begin with all that was typed, in any order. */
export function saysAll(text: string, typed: string): boolean {
  const words = plain(text).split(/[\s,/-]+/);
  return plain(typed)
    .split(/\s+/)
    .filter(Boolean)
    .every((start) => words.some((word) => word.startsWith(start)));
}

/** Whether a telephone number contains what was typed of one, with or without the country's code. */
export function hasDigits(phone: string, typed: string): boolean {
  const wanted = digits(typed).replace(/^0+/, '');
  return wanted !== '' && digits(phone).includes(wanted);
}

/** Country code and number have at least so many digits. */
const LEAST_DIGITS = 7;
const MOST_DIGITS = 15;

/** Whether calls can be forwarded to what was typed: a number in full, from "+" or "0" on. */
export function isDialable(number: string): boolean {
  const digits = number.replace(/\D/g, '').length;
  return /^[+0][\d\s()/.-]*$/.test(number.trim()) && digits >= LEAST_DIGITS && digits <= MOST_DIGITS;
}

/** Codes that mobile networks know (GSM 02.30), to forward calls to a number. */
export function forwardingCodes(number: string): readonly (readonly [when: string, code: string])[] {
  const to = number.replace(/[^\d+]/g, '');
  return [
    ['Every call', `**21*${to}#`],
    ['Calls that no one answers', `**61*${to}#`],
    ['Calls while the line is busy', `**67*${to}#`],
    ['Stop forwarding', '##002#'],
  ];
}

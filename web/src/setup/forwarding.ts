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

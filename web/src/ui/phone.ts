/** Calling codes of one or two digits; every other one has three. */
const SHORT = new Set(
  '1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
);

/** "+447700900123" → "+44 7700 900 123", grouped for reading aloud. Other text stays as it is. */
export function phoneText(e164: string): string {
  const digits = /^\+(\d{5,15})$/.exec(e164)?.[1];
  if (!digits) return e164;
  const code = [1, 2, 3]
    .map((length) => digits.slice(0, length))
    .find((start, index) => index === 2 || SHORT.has(start));
  const rest = digits.slice(code?.length);
  const groups = groupsOf(code ?? '', rest);
  return [`+${code}`, ...grouped(rest, groups)].join(' ');
}

/** Where people pause: Britain's areas of two and three digits, North America's 3-3-4, else a middling guess. */
function groupsOf(code: string, rest: string): number[] {
  if (code === '44' && rest.startsWith('2')) return [2, 4, 4];
  // Cities such as Bristol (117) and Birmingham (121), and numbers of no place (330, 800).
  if (code === '44' && /^(11|1\d1|[389])/.test(rest)) return [3, 3, 4];
  if (code === '1') return [3, 3, 4];
  return [rest.length > 9 ? 4 : 3, 3];
}

function grouped(digits: string, sizes: number[]): string[] {
  const [size = 4, ...others] = sizes;
  if (digits.length <= size) return digits ? [digits] : [];
  return [digits.slice(0, size), ...grouped(digits.slice(size), others)];
}

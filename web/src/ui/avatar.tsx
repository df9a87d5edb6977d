import { chakra } from '@chakra-ui/react';
import type { Ref } from 'react';
import type { Tone } from './badge';

const TONES: Tone[] = ['brand', 'info', 'violet', 'warn', 'good', 'quiet'];

/** "Ada Byron King" → "AK". */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return letters
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toLocaleUpperCase();
}

function toneOf(name: string): Tone {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return TONES[sum % TONES.length] ?? 'quiet';
}

/** Black or white, whichever reads better on a colour such as #148c84: by its relative luminance. */
function inkOn(color: string): 'black' | 'white' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? 'black' : 'white';
}

type AvatarProps = {
  name: string;
  /** As #148c84; without one it is the name's. */
  color?: string;
  size?: string;
  ref?: Ref<HTMLSpanElement>;
};

/** Initials on a colour of their own. The name always stands beside it, so they are decoration, no text. */
export function Avatar({ name, color = '', size = '36px', ref }: AvatarProps) {
  const tone = name ? toneOf(name) : 'quiet';
  return (
    <chakra.span
      ref={ref}
      aria-hidden
      display="inline-flex"
      alignItems="center"
      justifyContent="center"
      flexShrink="0"
      width={size}
      height={size}
      borderRadius="full"
      bg={color || `${tone}.subtle`}
      color={color ? inkOn(color) : `${tone}.fg`}
      fontSize={`calc(${size} * 0.38)`}
      fontWeight="650"
      letterSpacing="0.01em"
      data-initials={initialsOf(name) || '?'}
      _before={{ content: 'attr(data-initials)' }}
    />
  );
}

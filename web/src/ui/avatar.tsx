import { chakra } from '@chakra-ui/react';
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

/** Initials on a colour of their own. The name always stands beside it, so they are decoration, no text. */
export function Avatar({ name, size = '36px' }: { name: string; size?: string }) {
  const tone = name ? toneOf(name) : 'quiet';
  return (
    <chakra.span
      aria-hidden
      display="inline-flex"
      alignItems="center"
      justifyContent="center"
      flexShrink="0"
      width={size}
      height={size}
      borderRadius="full"
      bg={`${tone}.subtle`}
      color={`${tone}.fg`}
      fontSize={`calc(${size} * 0.38)`}
      fontWeight="650"
      letterSpacing="0.01em"
      data-initials={initialsOf(name) || '?'}
      _before={{ content: 'attr(data-initials)' }}
    />
  );
}

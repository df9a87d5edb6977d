import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

export type Tone = 'brand' | 'good' | 'info' | 'warn' | 'bad' | 'violet' | 'quiet';

/** A short state, told by its words; the colour only helps. */
export function Badge({ tone = 'quiet', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <chakra.span
      display="inline-flex"
      alignItems="center"
      gap="1.5"
      px="2.5"
      py="0.5"
      borderRadius="full"
      fontSize="0.8125rem"
      fontWeight="600"
      lineHeight="1.5"
      whiteSpace="nowrap"
      bg={`${tone}.subtle`}
      color={`${tone}.fg`}
    >
      {children}
    </chakra.span>
  );
}

/** The dot of something happening right now. */
export function LiveDot() {
  return (
    <chakra.span
      position="relative"
      display="inline-block"
      width="8px"
      height="8px"
      flexShrink="0"
      aria-hidden
    >
      <chakra.span position="absolute" inset="0" borderRadius="full" bg="currentColor" />
      <chakra.span
        position="absolute"
        inset="0"
        borderRadius="full"
        bg="currentColor"
        animation="pulse 1.6s ease-out infinite"
      />
    </chakra.span>
  );
}

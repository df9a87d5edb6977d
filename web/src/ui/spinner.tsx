import { chakra } from '@chakra-ui/react';

/** A turning ring; the words beside it say what it stands for. */
export function Spinner({ size = '1em' }: { size?: string }) {
  return (
    <chakra.span
      aria-hidden
      display="inline-block"
      flexShrink="0"
      width={size}
      height={size}
      border="2px solid currentColor"
      borderTopColor="transparent"
      borderRadius="full"
      animation="turn 0.7s linear infinite"
    />
  );
}

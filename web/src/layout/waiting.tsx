import { Flex } from '@chakra-ui/react';
import { Spinner } from '../ui/spinner';
import { Muted } from '../ui/text';

/** Shown while the session starts or is renewed. */
export function Waiting({ label }: { label: string }) {
  return (
    <Flex
      role="status"
      direction="column"
      align="center"
      justify="center"
      gap="4"
      minHeight="100dvh"
      color="brand.fg"
    >
      <Spinner size="32px" />
      <Muted>{label}</Muted>
    </Flex>
  );
}

import { Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** A row of the inbox: what is told, and what can be done about it beside or below. */
export function RowFrame({ children }: { children: ReactNode }) {
  return (
    <Flex
      gap="4"
      align="center"
      wrap="wrap"
      px={{ base: '4', sm: '6' }}
      py="4"
      borderTop="1px solid"
      borderColor="line"
    >
      {children}
    </Flex>
  );
}

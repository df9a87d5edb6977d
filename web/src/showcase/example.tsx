import { chakra, Flex, Stack } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { H3, Muted } from '../ui/text';

const Code = chakra('pre', {
  base: {
    p: '3',
    borderRadius: 'button',
    bg: 'bg.sunken',
    color: 'fg',
    fontFamily: 'mono',
    fontSize: '0.8125rem',
    lineHeight: '1.5',
    overflowX: 'auto',
  },
});

type ExampleProps = {
  title: string;
  /** When it is the right one. */
  use: string;
  code: string;
  children: ReactNode;
};

/** A component in its states, and how it is written. */
export function Example({ title, use, code, children }: ExampleProps) {
  return (
    <Stack as="li" gap="3" py="6" borderTop="1px solid" borderColor="line" minWidth="0">
      <div>
        <H3>{title}</H3>
        <Muted>{use}</Muted>
      </div>
      <div>{children}</div>
      <Code tabIndex={0} aria-label={`Code of ${title}`}>
        {code}
      </Code>
    </Stack>
  );
}

/** States side by side, as far as there is room. */
export function States({ children }: { children: ReactNode }) {
  return (
    <Flex gap="3" wrap="wrap" align="center">
      {children}
    </Flex>
  );
}

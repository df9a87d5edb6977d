import { Box, chakra, Flex, type FlexProps } from '@chakra-ui/react';
import { type ReactNode, useId } from 'react';
import { H2 } from './text';

export const Surface = chakra('div', {
  base: {
    bg: 'bg.card',
    border: '1px solid',
    borderColor: 'line',
    borderRadius: 'card',
    boxShadow: 'card',
    minWidth: '0',
  },
});

type CardProps = {
  title: ReactNode;
  /** At the end of the title's line. */
  action?: ReactNode;
  /** Lists run to the edges of their card. */
  flush?: boolean;
  /** Menus of its rows reach beyond it. */
  overflow?: 'visible';
  children: ReactNode;
};

/** A titled part of a page. */
export function Card({ title, action, flush = false, overflow, children }: CardProps) {
  const id = useId();
  return (
    <Surface as="section" aria-labelledby={id} overflow={overflow ?? 'hidden'}>
      <Flex
        align="center"
        justify="space-between"
        columnGap="4"
        rowGap="2"
        wrap="wrap"
        px={{ base: '4', sm: '6' }}
        pt="5"
        pb="3"
      >
        {/* Beside its action it keeps the width of a few words; in less, the action goes below. */}
        <H2 id={id} flex="1 1 9rem">
          {title}
        </H2>
        {action}
      </Flex>
      <Box px={flush ? '0' : { base: '4', sm: '6' }} pb={flush ? '2' : '6'}>
        {children}
      </Box>
    </Surface>
  );
}

/** A row of the list in a flush card, with a line above all but the first. */
export function CardRow(props: FlexProps) {
  return (
    <Flex
      as="li"
      gap="3"
      px={{ base: '4', sm: '6' }}
      py="3"
      borderTop="1px solid"
      borderColor="line"
      _first={{ borderTop: 'none' }}
      {...props}
    />
  );
}

import { Box, Flex } from '@chakra-ui/react';

/** What the colours of a week mean, for those who see them. */
export function Legend() {
  return (
    <Flex
      aria-hidden
      gap="1.5"
      columnGap="5"
      wrap="wrap"
      px={{ base: '4', md: '5' }}
      py="2.5"
      color="fg.muted"
      fontSize="0.8125rem"
    >
      <Key colour="brand.solid" opacity="0.3">
        At work
      </Key>
      <Key colour="brand.solid">Booked</Key>
      <Key colour="warn.fg" line>
        Almost fully booked
      </Key>
      <Key colour="bad.solid" line>
        More booked than at work
      </Key>
    </Flex>
  );
}

type KeyProps = { colour: string; opacity?: string; line?: boolean; children: string };

function Key({ colour, opacity = '1', line = false, children }: KeyProps) {
  return (
    <Flex as="span" align="center" gap="2" whiteSpace="nowrap">
      <Box
        as="span"
        width="12px"
        height={line ? '3px' : '10px'}
        borderRadius="2px"
        bg={colour}
        opacity={opacity}
      />
      {children}
    </Flex>
  );
}

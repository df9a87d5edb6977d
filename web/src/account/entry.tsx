import { Box, chakra, Flex, Stack } from '@chakra-ui/react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Tone } from '../ui/badge';
import { Muted, Text } from '../ui/text';

type Piece = string | null | false | undefined;

type EntryProps = {
  icon: LucideIcon;
  tone?: Tone;
  title: ReactNode;
  /** State badges beside the title. */
  badges?: ReactNode;
  /** What is known, piece by piece; empty pieces are left out. */
  details: readonly Piece[];
  action?: ReactNode;
};

/** An entry of a list: title, facts and actions. */
export function Entry(props: EntryProps) {
  return (
    <Box as="li" borderTop="1px solid" borderColor="line" _first={{ borderTop: 'none' }}>
      <EntryBody {...props} />
    </Box>
  );
}

/** What an entry shows, for lists that make their own rows. */
export function EntryBody({ icon: Icon, tone = 'quiet', title, badges, details, action }: EntryProps) {
  return (
    <Flex
      gap="4"
      rowGap="3"
      align="center"
      wrap={{ base: 'wrap', sm: 'nowrap' }}
      px={{ base: '4', sm: '6' }}
      py="4"
    >
      <Flex
        align="center"
        justify="center"
        flexShrink="0"
        width="10"
        height="10"
        borderRadius="full"
        bg={`${tone}.subtle`}
        color={`${tone}.fg`}
      >
        <Icon size={20} aria-hidden />
      </Flex>
      <Stack gap="0.5" flex="1" minWidth="0">
        <Flex gap="2" align="center" wrap="wrap">
          <Text fontWeight="550">{title}</Text>
          {badges}
        </Flex>
        <Muted as="div">
          <Details pieces={details.filter(Boolean)} />
        </Muted>
      </Stack>
      {action && (
        <Box flexShrink="0" ps={{ base: '14', sm: '0' }} width={{ base: '100%', sm: 'auto' }}>
          {action}
        </Box>
      )}
    </Flex>
  );
}

/**
 * Lines break between the pieces: a date stays in one piece, unless it is wider than the screen.
 * The dot before the first piece of a line lies in the margin that is cut off.
 */
function Details({ pieces }: { pieces: readonly Piece[] }) {
  return (
    <Box overflow="clip">
      <Flex wrap="wrap" ms="-4">
        {pieces.map((piece) => (
          <chakra.span
            key={String(piece)}
            position="relative"
            ps="4"
            maxWidth="100%"
            overflowWrap="anywhere"
            _before={{ content: '"·" / ""', position: 'absolute', insetInlineStart: '1.5' }}
          >
            {piece}{' '}
          </chakra.span>
        ))}
      </Flex>
    </Box>
  );
}

export function Entries({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box as="ul" aria-label={label} listStyleType="none">
      {children}
    </Box>
  );
}

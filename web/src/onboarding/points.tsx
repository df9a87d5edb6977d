import { Box, Stack } from '@chakra-ui/react';
import type { LucideIcon } from 'lucide-react';
import { Text } from '../ui/text';

/** What speaks for it, one line each. */
export function Points({ points }: { points: readonly { icon: LucideIcon; text: string }[] }) {
  return (
    <Stack as="ul" gap="4" listStyleType="none">
      {points.map(({ icon: Icon, text }) => (
        <Stack as="li" key={text} direction="row" gap="3.5" align="center" color="brand.fg">
          <Box flexShrink="0">
            <Icon size={22} aria-hidden />
          </Box>
          <Text color="fg">{text}</Text>
        </Stack>
      ))}
    </Stack>
  );
}

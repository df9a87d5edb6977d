import { Box } from '@chakra-ui/react';

/** How much of a long work is done, from 0 to 1. */
export function Meter({ share, label }: { share: number; label: string }) {
  const percent = Math.round(share * 100);
  return (
    <Box
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      height="3"
      borderRadius="full"
      bg="bg.sunken"
      overflow="hidden"
    >
      <Box height="100%" bg="brand.solid" transition="width 0.3s" style={{ width: `${percent}%` }} />
    </Box>
  );
}

import { Box } from '@chakra-ui/react';

/** A thin line at the top: something is on its way, the page before stays. */
export function ProgressLine({ active }: { active: boolean }) {
  if (!active) return null;
  return (
    <Box
      role="progressbar"
      aria-label="Loading page"
      position="fixed"
      insetX="0"
      top="0"
      height="3px"
      overflow="hidden"
      zIndex="toast"
      bg="brand.subtle"
    >
      <Box height="100%" width="40%" bg="brand.solid" animation="travel 1.1s ease-in-out infinite" />
    </Box>
  );
}

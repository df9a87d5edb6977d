import { Box, chakra, Grid } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** Names and values, as a list of descriptions. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <Grid as="dl" gap="4" gridTemplateColumns="repeat(auto-fill, minmax(min(9.25rem, 100%), 1fr))">
      {children}
    </Grid>
  );
}

type FactProps = {
  name: string;
  /** A line of its own: a sentence or an address. */
  long?: boolean;
  children: ReactNode;
};

export function Fact({ name, long = false, children }: FactProps) {
  return (
    <Box gridColumn={long ? '1 / -1' : undefined}>
      <chakra.dt fontSize="0.875rem" color="fg.muted" mb="0.5">
        {name}
      </chakra.dt>
      <chakra.dd fontWeight="500" overflowWrap="anywhere">
        {children}
      </chakra.dd>
    </Box>
  );
}

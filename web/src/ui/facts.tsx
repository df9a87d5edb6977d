import { chakra, Grid } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** Names and values, as a list of descriptions. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <Grid as="dl" gap="4" gridTemplateColumns="repeat(auto-fill, minmax(min(12rem, 100%), 1fr))">
      {children}
    </Grid>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <chakra.dt fontSize="0.875rem" color="fg.muted" mb="0.5">
        {name}
      </chakra.dt>
      <chakra.dd fontWeight="500" overflowWrap="anywhere">
        {children}
      </chakra.dd>
    </div>
  );
}

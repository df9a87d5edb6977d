import { Box, Stack } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { ScreenReaderOnly } from './text';

/** A grey bar where something is about to stand. */
export function Bar({
  width = '100%',
  height = '1rem',
  round = false,
}: {
  width?: string;
  height?: string;
  round?: boolean;
}) {
  return (
    <Box
      width={width}
      maxWidth="100%"
      height={height}
      borderRadius={round ? 'full' : '6px'}
      flexShrink={round ? '0' : undefined}
      bg="shimmer"
      // Opacity alone: anything else is painted anew for every frame, while the page behind it is being made.
      animation="breathe 1.8s ease-in-out infinite"
    />
  );
}

/** Announces once that something loads, and hides the bars themselves. */
export function Loading({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="status" aria-live="polite">
      <ScreenReaderOnly>{label}</ScreenReaderOnly>
      <div aria-hidden>{children}</div>
    </div>
  );
}

/** Rows of a list on their way. */
export function RowsSkeleton({ rows = 4, label }: { rows?: number; label: string }) {
  return (
    <Loading label={label}>
      <Stack gap="5" px={{ base: '4', sm: '6' }} py="4">
        {Array.from({ length: rows }, (_, row) => (
          <Stack key={row} direction="row" gap="4" align="center">
            <Bar width="40px" height="40px" round />
            <Stack gap="2" flex="1">
              <Bar width={`${52 - (row % 3) * 9}%`} />
              <Bar width={`${34 + (row % 2) * 12}%`} height="0.75rem" />
            </Stack>
            <Bar width="64px" height="1.5rem" />
          </Stack>
        ))}
      </Stack>
    </Loading>
  );
}

import { Box, chakra, Flex, Grid } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import { TextLink } from '../layout/links';
import { Button } from '../ui/button';
import { FILLS, type Fill, StackedBar } from '../ui/stacked-bar';
import { Figures, Muted } from '../ui/text';

export type Bar = {
  key: string;
  name: string;
  /** One after the other, on the scale of the chart. */
  parts: readonly (readonly [fill: Fill, size: number])[];
  /** A line across it: what it is compared with. */
  mark?: number | undefined;
  /** The number in words. */
  value: string;
  /** The records behind it. */
  to?: string | undefined;
  detail?: string | undefined;
};

type BarsProps = {
  label: string;
  bars: Bar[];
  /** The scale is at least so long. */
  least?: number;
};

/** More than these are a press further. */
const AT_FIRST = 8;

/** Bars beside each other, longest scale of all; each says its number in words. */
export function Bars({ label, bars, least = 0 }: BarsProps) {
  const [all, setAll] = useState(false);
  const longest = Math.max(
    least,
    Number.MIN_VALUE,
    ...bars.map(({ parts, mark }) => Math.max(mark ?? 0, lengthOf(parts))),
  );
  const shown = all ? bars : bars.slice(0, AT_FIRST);
  return (
    <>
      <Box as="ul" listStyleType="none" aria-label={label}>
        {shown.map((bar) => (
          <Grid
            as="li"
            key={bar.key}
            gridTemplateColumns={{
              base: 'minmax(0, 1fr) fit-content(50%)',
              sm: 'minmax(0, 7.5rem) minmax(0, 1fr) 9rem',
            }}
            columnGap="4"
            rowGap="1"
            alignItems="center"
            py="2"
          >
            <Box fontSize="0.9375rem" fontWeight="550" lineHeight="1.3" overflowWrap="anywhere">
              {bar.name}
            </Box>
            <Box gridColumn={{ base: '1 / -1', sm: '2' }} gridRow={{ base: '2', sm: '1' }}>
              <StackedBar parts={bar.parts} mark={bar.mark} scale={longest} />
            </Box>
            <Box textAlign="end" gridColumn={{ base: '2', sm: '3' }} gridRow="1">
              <Figures fontSize="0.9375rem" fontWeight="600" display="block" lineHeight="1.3">
                {bar.to ? <TextLink to={bar.to}>{bar.value}</TextLink> : bar.value}
              </Figures>
              {bar.detail && (
                <Muted fontSize="0.8125rem" lineHeight="1.3" lineClamp="2">
                  {bar.detail}
                </Muted>
              )}
            </Box>
          </Grid>
        ))}
      </Box>
      {bars.length > AT_FIRST && (
        <Flex pt="2">
          <Button variant="quiet" ms="-3" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show all ${bars.length}`}
          </Button>
        </Flex>
      )}
    </>
  );
}

const lengthOf = (parts: Bar['parts']) => parts.reduce((sum, [, size]) => sum + size, 0);

/** What colours and lines of a chart mean. */
export function Legend({ children }: { children: ReactNode }) {
  return (
    <Flex gap="4" rowGap="1" wrap="wrap" pb="3" fontSize="0.8125rem" color="fg.muted">
      {children}
    </Flex>
  );
}

export function Key({ fill, children }: { fill: Fill | 'mark'; children: ReactNode }) {
  return (
    <Flex as="span" align="center" gap="1.5">
      <chakra.span
        aria-hidden
        width={fill === 'mark' ? '2px' : '12px'}
        height={fill === 'mark' ? '16px' : '12px'}
        borderRadius={fill === 'mark' ? undefined : '3px'}
        bg={fill === 'mark' ? 'fg' : FILLS[fill]}
      />
      {children}
    </Flex>
  );
}

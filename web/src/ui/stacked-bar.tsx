import { BarSegment, useChart } from '@chakra-ui/charts';

export const FILLS = { main: 'brand.solid', quiet: 'line.strong', warn: 'warn.fg' } as const;
export type Fill = keyof typeof FILLS;

type StackedBarProps = {
  /** One after the other. */
  parts: readonly (readonly [fill: Fill, size: number])[];
  /** A line across it: what it is compared with. */
  mark?: number | undefined;
  /** As long as the whole width. */
  scale: number;
};

/** A bar for the eye; the words beside it say the same. */
export function StackedBar({ parts, mark, scale }: StackedBarProps) {
  const rest = scale - parts.reduce((sum, [, size]) => sum + size, 0);
  const chart = useChart({
    data: [
      ...parts.map(([fill, size], index) => ({ name: `${index}-${fill}`, value: size, color: FILLS[fill] })),
      { name: 'rest', value: rest, color: 'transparent' },
    ].filter(({ value }) => value > 0),
  });
  return (
    <BarSegment.Root chart={chart} barSize="3" aria-hidden>
      <BarSegment.Content>
        <BarSegment.Bar gap="0" bg="quiet.subtle" borderRadius="l1">
          {mark !== undefined && mark > 0 && (
            <BarSegment.Reference value={mark} height="calc(100% + 6px)" bottom="-3px" />
          )}
        </BarSegment.Bar>
      </BarSegment.Content>
    </BarSegment.Root>
  );
}

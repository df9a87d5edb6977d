import { Box, chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

const Sheet = chakra('table', {
  base: {
    width: '100%',
    borderCollapse: 'collapse',
    fontSize: '0.9375rem',
    '& th': { textAlign: 'start', fontWeight: '600' },
    '& thead th': { color: 'fg.muted', fontSize: '0.8125rem', whiteSpace: 'nowrap' },
    '& :is(th, td)': { px: '3', py: '2.5', verticalAlign: 'middle' },
    '& :is(th, td):first-child': { ps: { base: '4', sm: '6' } },
    '& :is(th, td):last-child': { pe: { base: '4', sm: '6' } },
    '& tbody tr': { borderTop: '1px solid', borderColor: 'line' },
    '& tbody tr:hover': { bg: 'bg.hover' },
    '& tbody tr[aria-hidden] td': { p: '0' },
    '& [data-figures]': { textAlign: 'end', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  },
  variants: {
    wordy: {
      true: { '& thead :is(th, [data-figures])': { whiteSpace: 'normal', verticalAlign: 'bottom' } },
    },
    fixed: {
      true: {
        tableLayout: 'fixed',
        '& :is(th, td)': { overflowWrap: 'anywhere' },
        '& tbody :is(th, td), & tbody :is(th, td) *': { whiteSpace: 'normal' },
      },
    },
  },
});

export type TableProps = {
  /** What the table is about, for those who hear it. */
  label: string;
  /** Where it must scroll sideways rather than squeeze. */
  minWidth?: string;
  /** Its headings are sentences: they may take several lines. */
  wordy?: boolean;
  /** Its columns keep their widths, whatever is in them. */
  fixed?: boolean;
  /** How many rows it has with its head, where not all of them are in the document. */
  rowCount?: number;
  children: ReactNode;
};

/** Rows and columns. Where it is wider than its place it scrolls there, and the page stays. */
export function Table({ label, minWidth, wordy = false, fixed = false, rowCount, children }: TableProps) {
  return (
    <Box
      overflowX="auto"
      position="relative"
      className="sideways"
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <Sheet minWidth={minWidth} wordy={wordy} fixed={fixed} aria-label={label} aria-rowcount={rowCount}>
        {children}
      </Sheet>
    </Box>
  );
}

import { Box, chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** Where rows that can be stacked are: a telephone, or a small window. */
const NARROW = '@container (max-width: 42rem)';
/** Where rows of two sides with much to say have no room beside each other's words. */
const MIDDLE = '@container (min-width: 42.01rem) and (max-width: 54rem)';

/** What a cell is, where no head says it. */
const LABEL = {
  content: 'attr(data-label)',
  display: 'block',
  color: 'fg.muted',
  fontSize: '0.8125rem',
  fontWeight: '600',
};

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
    stacked: {
      true: {
        [NARROW]: {
          // Over the width that the columns would need.
          '&&': { minWidth: '0' },
          '&, & tbody, & tbody tr, & tbody :is(th, td)': { display: 'block' },
          '& thead': { srOnly: true },
          '& tbody tr:not([aria-hidden])': { py: '3' },
          // Takes the place of rows that are not in the document.
          '& tbody tr[aria-hidden] td': { p: '0' },
          '& tbody :is(th, td)': { px: { base: '4', sm: '6' }, py: '1' },
          '& tbody [data-figures]': { textAlign: 'start' },
          // Numbers need half a line each.
          '& tbody [data-figures][data-label]': { display: 'inline-block', width: '50%' },
          '& tbody td:empty': { display: 'none' },
          '& tbody [data-label]::before': LABEL,
        },
      },
    },
    paired: {
      true: {
        [MIDDLE]: {
          '&&': { minWidth: '0' },
          '&, & tbody, & tbody :is(th, td)': { display: 'block' },
          '& thead': { srOnly: true },
          '& tbody tr': { display: 'grid', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
          '& tbody tr:not([aria-hidden])': { py: '3' },
          '& tbody :is(th, td)': { px: '6', py: '1', gridColumn: '1 / -1' },
          '& tbody td[data-label]': { gridColumn: 'auto' },
          '& tbody [data-figures]': { textAlign: 'start' },
          '& tbody td:empty': { display: 'none' },
          '& tbody [data-label]::before': LABEL,
        },
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
  /** In a narrow place each row is a block of its own, and cells with a `data-label` say what they are. */
  stacked?: boolean;
  /** Stacked, and in a place of middle width with its labelled cells beside each other. */
  paired?: boolean;
  /** How many rows it has with its head, where not all of them are in the document. */
  rowCount?: number;
  children: ReactNode;
};

/** Rows and columns. Where it is wider than its place it scrolls there, and the page stays. */
export function Table(props: TableProps) {
  const { label, minWidth, wordy = false, fixed = false, paired = false, rowCount, children } = props;
  const stacked = props.stacked || paired;
  return (
    <Box
      overflowX="auto"
      position="relative"
      className="sideways"
      containerType={stacked ? 'inline-size' : undefined}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <Sheet
        minWidth={minWidth}
        wordy={wordy}
        fixed={fixed}
        stacked={stacked}
        paired={paired}
        aria-label={label}
        aria-rowcount={rowCount}
      >
        {children}
      </Sheet>
    </Box>
  );
}

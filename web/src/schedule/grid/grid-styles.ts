import type { SystemStyleObject } from '@chakra-ui/react';

const shade: SystemStyleObject = {
  position: 'absolute',
  insetInline: '0',
  px: '2',
  py: '1',
  overflow: 'clip',
  fontSize: '0.75rem',
  fontWeight: '550',
  lineHeight: '1.35',
};

/** Time that something other than a visit takes. */
const taken: SystemStyleObject = {
  bg: 'quiet.subtle',
  color: 'quiet.fg',
  borderBlock: '1px solid',
  borderColor: 'line.strong',
  backgroundImage:
    'repeating-linear-gradient(45deg, color-mix(in srgb, currentColor 10%, transparent) 0 1px, transparent 1px 8px)',
};

/** How columns look, said once for all of a grid, as for its cards. */
export const GRID_STYLES: SystemStyleObject = {
  // One row that stands still: each head by itself would be a layer of its own in every frame.
  '& .heads': {
    display: 'grid',
    gridColumn: '1 / -1',
    gridTemplateColumns: 'inherit',
    position: 'sticky',
    top: '0',
    zIndex: '6',
  },
  '& .column-head': {
    position: 'relative',
    minWidth: '0',
    px: '2',
    py: '2',
    bg: 'bg.card',
    borderBottom: '1px solid',
    borderInlineStart: '1px solid',
    borderColor: 'line',
    containerType: 'inline-size',
  },
  '& .corner': {
    position: 'sticky',
    left: '0',
    zIndex: '1',
    borderInlineStart: 'none',
    ps: '0',
    pe: '2',
    textAlign: 'end',
  },
  // On a low screen, hours matter more than air.
  '@media (max-height: 32rem)': {
    '& .column-head': { py: '1' },
    '& .column-head .name': { fontSize: '0.875rem', lineClamp: '1' },
    '& .column-head .load': { fontSize: '0.75rem' },
  },
  '& .corner .weekday': { fontSize: '0.8125rem', fontWeight: '650' },
  '& .corner .date': { fontSize: '0.75rem', color: 'fg.muted' },
  '& .column-head > *': {
    display: 'block',
    overflow: 'clip',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
  // A long name takes two lines before it is cut.
  '& .column-head .name': {
    fontSize: '0.9375rem',
    fontWeight: '650',
    lineHeight: '1.25',
    whiteSpace: 'normal',
    overflowWrap: 'anywhere',
    lineClamp: '2',
  },
  '@container (max-width: 10rem)': { '& .column-head .name': { fontSize: '0.875rem' } },
  '& .column-head .name.current': { color: 'brand.fg' },
  // All of the head is the link, and holds its ring: around the name alone it would cross the line below.
  '& .column-head a': {
    _after: { content: '""', position: 'absolute', inset: '0' },
    _hover: { textDecoration: 'underline' },
    _focusVisible: { outline: 'none' },
  },
  '& .column-head:has(:focus-visible)': {
    outline: '2px solid',
    outlineColor: 'focus',
    outlineOffset: '-3px',
    borderRadius: 'button',
  },
  // Above the head's own link.
  '& .column-head .away-button': {
    position: 'absolute',
    zIndex: '1',
    top: '1.5',
    insetInlineEnd: '1.5',
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    width: '8',
    height: '8',
    borderRadius: 'button',
    color: 'fg.muted',
    cursor: 'pointer',
  },
  '& .column-head .away-button:hover': { bg: 'bg.hover', color: 'fg' },
  // The name ends before the button: under it, it would be no target.
  '& .column-head:has(.away-button) .name': { marginInlineEnd: '8' },
  '& .column-head .load': { fontSize: '0.8125rem', color: 'fg.muted' },
  '@container (max-width: 8.5rem)': { '& .column-head .unit': { srOnly: true } },
  '& .axis': {
    gridRow: '2',
    gridColumn: '1',
    position: 'sticky',
    left: '0',
    zIndex: '5',
    bg: 'bg.card',
    fontSize: '0.75rem',
    color: 'fg.muted',
    fontVariantNumeric: 'tabular-nums',
  },
  '& .axis > span': {
    position: 'absolute',
    insetInline: '0',
    pe: '2',
    pt: '0.5',
    textAlign: 'end',
    borderTop: '1px solid',
    borderColor: 'line',
  },
  '& .axis > span:first-of-type': { borderTop: 'none' },
  '& .column': {
    gridRow: '2',
    position: 'relative',
    minWidth: '0',
    borderInlineStart: '1px solid',
    borderColor: 'line',
    bg: 'bg.card',
    containerType: 'inline-size',
    containerName: 'column',
    // What is out of sight is neither laid out nor painted.
    contentVisibility: 'auto',
  },
  '& .column .clock': {
    position: 'absolute',
    inset: '0',
    pointerEvents: 'none',
    backgroundImage:
      'linear-gradient(to bottom, var(--clock) 1px, transparent 1px), linear-gradient(to bottom, color-mix(in srgb, var(--clock) 45%, transparent) 1px, transparent 1px)',
    '--clock': 'colors.line',
  },
  '& .shade': {
    ...shade,
    // Nothing shows through: its label hides the lines of hours behind it.
    bg: { base: 'bg.sunken', _dark: 'color-mix(in srgb, black 80%, {colors.bg.card})' },
    color: 'fg.muted',
    pointerEvents: 'none',
    // In the dark no grey is much darker than the card: the edges say where working time begins and ends.
    borderBlock: '1px solid',
    borderColor: 'line.strong/40',
  },
  '& .shade.off': { bg: 'warn.subtle', color: 'warn.fg' },
  '& .shade.busy': taken,
  // Lines of hours end before words.
  '& .shade > .words, & .block > .words': {
    position: 'relative',
    zIndex: '1',
    width: 'fit-content',
    maxWidth: '100%',
    pe: '1',
    overflow: 'clip',
    bgColor: 'inherit',
  },
  // Blocked time, which can be released.
  '& .block': {
    ...shade,
    ...taken,
    display: 'flex',
    alignItems: 'flex-start',
    textAlign: 'start',
    cursor: 'pointer',
    _hover: { borderColor: 'fg.muted', boxShadow: 'card' },
    _focusVisible: { outlineOffset: '-2px' },
  },
  // Where a chosen service could start.
  '& .free': {
    position: 'absolute',
    insetInline: '0',
    pointerEvents: 'none',
    bg: 'good.subtle',
    borderInlineStart: '3px solid',
    borderColor: 'good.fg',
  },
  // What a proposal changes: a card is leaving, or another would come. Cards under it stay to be pressed.
  '& .proposed': {
    position: 'absolute',
    zIndex: '3',
    pointerEvents: 'none',
    borderRadius: 'card',
    border: '2px dashed',
    borderColor: 'warn.fg',
    overflow: 'clip',
  },
  '& .proposed.then': {
    borderStyle: 'solid',
    borderColor: 'brand.fg',
    // Nothing shows through: what the words of a card beneath say is over then.
    bg: 'brand.subtle',
    color: 'brand.fg',
    px: '2',
    py: '1',
    fontSize: '0.75rem',
    fontWeight: '650',
    lineHeight: '1.35',
  },
  '& .free-time': { position: 'absolute', inset: '0', touchAction: 'manipulation' },
};

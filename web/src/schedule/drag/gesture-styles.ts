import type { SystemStyleObject } from '@chakra-ui/react';

const shape: SystemStyleObject = {
  position: 'absolute',
  px: '2',
  overflow: 'hidden',
  pointerEvents: 'none',
  fontSize: '0.8125rem',
  fontWeight: '600',
  lineHeight: '1.35',
  borderRadius: '6px',
  border: '2px solid',
};

/**
 * Styles of the elements that a drag draws, part of the grid's style sheet: a style added together with its element
 * makes the browser match all cards again at the start of a drag.
 */
export const GESTURE_STYLES: SystemStyleObject = {
  // Where a dragged card would land.
  '& .ghost': {
    ...shape,
    position: 'relative',
    gridRow: '2',
    zIndex: '4',
    marginInline: '3px',
    py: '1',
    overflow: 'visible',
    borderColor: 'brand.solid',
    bg: 'bg.card',
    boxShadow: 'float',
    // What stands still above and beside it.
    scrollMarginTop: '72px',
    scrollMarginBottom: '8px',
    scrollMarginInlineStart: '64px',
  },
  '& .ghost[data-obstacle]': { borderColor: 'bad.solid' },
  '& .ghost .when': { display: 'block', truncate: true, fontVariantNumeric: 'tabular-nums' },
  '& .ghost .obstacle': {
    display: 'flex',
    gap: '1',
    alignItems: 'center',
    color: 'bad.fg',
    bg: 'bg.card',
    borderRadius: '4px',
  },
  '& .ghost svg': { flexShrink: '0' },
  // The lower edge of a visit, by which it is made longer or shorter.
  '& .edge': {
    position: 'absolute',
    left: 'var(--left)',
    width: 'var(--width)',
    height: '10px',
    zIndex: '3',
    cursor: 'ns-resize',
    touchAction: 'none',
  },
  '& .edge::after': {
    content: '""',
    position: 'absolute',
    insetInline: 'calc(50% - 12px)',
    bottom: '2px',
    height: '3px',
    borderRadius: 'full',
    bg: 'fg.muted',
    opacity: '0.6',
  },
  '& .longer': {
    ...shape,
    left: 'var(--left)',
    width: 'var(--width)',
    zIndex: '3',
    color: 'violet.fg',
    bg: 'violet.subtle',
    borderStyle: 'dashed',
    borderColor: 'violet.fg',
  },
  '& .longer[data-less]': { bg: 'bg.card', color: 'fg.muted', borderColor: 'line.strong' },
  // A stretch of free time.
  '& .chosen': {
    ...shape,
    insetInline: '2px',
    py: '0.5',
    zIndex: '3',
    fontVariantNumeric: 'tabular-nums',
    color: 'brand.fg',
    bg: 'brand.subtle',
    borderColor: 'brand.solid',
  },
};

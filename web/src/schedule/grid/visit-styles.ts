import type { SystemStyleObject } from '@chakra-ui/react';
import type { Tone } from '../../ui/badge';

// Clipped, not hidden: what is hidden can be scrolled by a program, and costs a layer of its own for that.
const HATCH =
  'repeating-linear-gradient(135deg, color-mix(in srgb, currentColor 20%, transparent) 0 2px, transparent 2px 7px)';

const TONES: Record<Tone, SystemStyleObject> = {
  brand: { '--card': 'colors.brand.subtle', borderColor: 'brand.solid' },
  good: { '--card': 'colors.good.subtle', borderColor: 'good.fg' },
  info: { '--card': 'colors.info.subtle', borderColor: 'info.fg' },
  violet: { '--card': 'colors.violet.subtle', borderColor: 'violet.fg' },
  quiet: { '--card': 'colors.quiet.subtle', borderColor: 'line.strong' },
  warn: { '--card': 'colors.warn.subtle', borderColor: 'warn.fg', borderStyle: 'dashed' },
  bad: { '--card': 'colors.bad.subtle', borderColor: 'bad.fg' },
};

/** As wide as a name needs, where a crowd leaves less. */
const READABLE = '9.5rem';

const LINE_HEIGHT = 1.35;

/** Columns as narrow as those of a tablet. */
const NARROW = '@container column (max-width: 11rem)';

/**
 * How cards look, said once for all of a grid: hundreds of elements with styles of their own would
 * take a slow computer seconds to draw.
 */
export const VISIT_STYLES: SystemStyleObject = {
  '& .visit': {
    position: 'absolute',
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'stretch',
    justifyContent: 'flex-start',
    overflow: 'clip',
    textAlign: 'start',
    fontSize: '0.8125rem',
    lineHeight: `${LINE_HEIGHT}`,
    color: 'fg',
    left: 'var(--left)',
    width: 'var(--width)',
    background: 'var(--card)',
    border: '1px solid',
    borderInlineStartWidth: '4px',
    borderColor: 'line.strong',
    borderRadius: '6px',
    ps: '2',
    pe: '2',
    cursor: 'pointer',
    touchAction: 'manipulation',
  },
  '& .visit:hover': { boxShadow: 'float', zIndex: '3' },
  '& .visit:focus-visible': { outlineOffset: '1px', zIndex: '4' },
  '& .visit[data-dragged]': { opacity: '0.4' },
  // A narrow card widens to a readable width under the pointer or with the focus.
  '& .visit[data-crowded]': { containerType: 'inline-size', ps: '1', pe: '1' },
  '& .visit[data-crowded]:is(:hover, :focus-visible)': {
    width: `max(var(--width), ${READABLE})`,
    left: `max(2px, min(var(--left), calc(100% - ${READABLE} - 2px)))`,
  },
  ...Object.fromEntries(Object.entries(TONES).map(([tone, style]) => [`& .visit[data-tone=${tone}]`, style])),
  // Loud among the cards around it: the customer comes, and its employee is not there.
  '& .visit[data-stranded]': {
    '--card': 'colors.bad.subtle',
    borderColor: 'bad.fg',
    borderStyle: 'dashed',
    borderInlineStartStyle: 'solid',
  },
  '& .visit[data-stranded] .face svg': { color: 'bad.fg' },
  '& .processing': {
    position: 'absolute',
    insetInline: '0',
    pointerEvents: 'none',
    color: 'fg',
    backgroundImage: HATCH,
  },
  '& .buffer': {
    position: 'absolute',
    left: 'var(--left)',
    width: 'var(--width)',
    pointerEvents: 'none',
    border: '1px dashed',
    borderColor: 'line.strong/70',
    borderRadius: '4px',
    bg: 'quiet.subtle/70',
  },
  // Heard, not seen, and without a layer of its own.
  '& .spoken': { width: '1px', height: '1px', overflow: 'clip', whiteSpace: 'nowrap' },
  '& .face': { pt: '1', minWidth: '0' },
  // Above the hatching. Anywhere else that would be one more layer to look through for what is pointed at.
  '& .processing ~ .face': { position: 'relative' },
  '& .face.slim': {
    pt: '0',
    my: 'auto',
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: '1.5',
    height: `${LINE_HEIGHT}em`,
    alignItems: 'center',
    overflow: 'clip',
  },
  '& .face .line': {
    display: 'block',
    minWidth: '0',
    width: 'fit-content',
    maxWidth: '100%',
    background: 'var(--card)',
    overflow: 'clip',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
  },
  // As many whole words as one line holds.
  '& .face .when': { height: `${LINE_HEIGHT}em`, whiteSpace: 'normal', overflowWrap: 'normal' },
  // What does not fit beside a whole name moves to a second line, which is cut off.
  '& .face .head': {
    display: 'flex',
    flex: '0 1 auto',
    flexWrap: 'wrap',
    columnGap: '1.5',
    minWidth: '0',
    maxWidth: '100%',
    height: `${LINE_HEIGHT}em`,
    alignItems: 'center',
    overflow: 'clip',
  },
  '& .face .who': {
    display: 'flex',
    flex: '1 1 auto',
    columnGap: '1.5',
    minWidth: '0',
    maxWidth: '100%',
    alignItems: 'center',
  },
  '& .face .customer': { flex: '1 1 auto', minWidth: '2.5rem', fontWeight: '650' },
  // A shortened name is read whole, where all of it would be cut.
  '& .face .customer .short': { display: 'none' },
  [NARROW]: {
    '& .face .customer.long .full': { display: 'none' },
    '& .face .customer.long .short': { display: 'inline' },
    '& .visit': { ps: '1', pe: '0.5' },
  },
  '& .visit[data-beside]': {
    ps: '1',
    pe: '0.5',
    '& .face .customer .full': { display: 'none' },
    '& .face .customer .short': { display: 'inline' },
  },
  '& .face.tall .head': { height: 'auto', maxHeight: `${2 * LINE_HEIGHT}em`, alignItems: 'flex-start' },
  '& .face.tall .who': { alignItems: 'flex-start' },
  '& .face.tall .customer': { whiteSpace: 'normal', lineClamp: '2', overflowWrap: 'anywhere' },
  '& .face.slim > .aside': { flex: '1 1 2.5rem' },
  // A time is read whole.
  '& .face .start': { flexShrink: '0' },
  // Hatching ends around the words. Without hatching a corner is invisible, and would cost a round clip.
  '& .processing ~ .face .line': { borderRadius: '3px' },
  '& .face .initials': { display: 'none', fontWeight: '650', background: 'var(--card)' },
  '@container (max-width: 4.75rem)': {
    '& .face :is(.line, .who)': { display: 'none' },
    '& .face svg': { display: 'none' },
    '& .face .initials': { display: 'block' },
  },
  '& .face .absent': { textDecoration: 'line-through' },
  '& .face .aside': { color: 'fg.muted' },
  '& .face svg': { flexShrink: '0', background: 'var(--card)', borderRadius: '3px' },
};

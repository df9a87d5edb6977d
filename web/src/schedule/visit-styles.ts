import type { SystemStyleObject } from '@chakra-ui/react';
import type { Tone } from '../ui/badge';

const HATCH =
  'repeating-linear-gradient(135deg, color-mix(in srgb, currentColor 20%, transparent) 0 2px, transparent 2px 7px)';

const TONES: Record<Tone, SystemStyleObject> = {
  brand: { bg: 'brand.subtle', borderColor: 'brand.solid' },
  good: { bg: 'good.subtle', borderColor: 'good.fg' },
  info: { bg: 'info.subtle', borderColor: 'info.fg' },
  violet: { bg: 'violet.subtle', borderColor: 'violet.fg' },
  quiet: { bg: 'quiet.subtle', borderColor: 'line.strong' },
  warn: { bg: 'warn.subtle', borderColor: 'warn.fg', borderStyle: 'dashed' },
  bad: { bg: 'bad.subtle', borderColor: 'bad.fg' },
};

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
    overflow: 'hidden',
    textAlign: 'start',
    fontSize: '0.8125rem',
    lineHeight: '1.35',
    color: 'fg',
    bg: 'bg.card',
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
  ...Object.fromEntries(Object.entries(TONES).map(([tone, style]) => [`& .visit[data-tone=${tone}]`, style])),
  '& .processing': {
    position: 'absolute',
    insetInline: '0',
    pointerEvents: 'none',
    color: 'fg',
    backgroundImage: HATCH,
  },
  '& .buffer': {
    position: 'absolute',
    pointerEvents: 'none',
    border: '1px dashed',
    borderColor: 'line.strong',
    borderRadius: '4px',
    bg: 'quiet.subtle',
    opacity: '0.7',
  },
  '& .spoken': { srOnly: true },
  '& .face': { position: 'relative', pt: '1', minWidth: '0' },
  '& .face.slim': { pt: '0', display: 'flex', gap: '1.5', alignItems: 'center', height: '100%' },
  '& .face .head': { display: 'flex', gap: '1.5', alignItems: 'center' },
  '& .face .line': {
    display: 'block',
    minWidth: '0',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
  },
  '& .face .customer': { fontWeight: '650' },
  '& .face .head .customer': { flex: '1' },
  '& .face .customer.absent': { textDecoration: 'line-through' },
  '& .face .aside': { color: 'fg.muted' },
  '& .face svg': { flexShrink: '0' },
};

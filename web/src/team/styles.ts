import type { SystemStyleObject } from '@chakra-ui/react';

const HATCH =
  'repeating-linear-gradient(135deg, color-mix(in srgb, currentColor 45%, transparent) 0 1.5px, transparent 1.5px 5px)';

/** What the line below the bars of hours takes. */
export const GROUND = '5px';

/** How days and hours look, said once for all of a week: hundreds of parts with styles of their own are slow to draw. */
export const TEAM_STYLES: SystemStyleObject = {
  '& .axis': {
    position: 'relative',
    display: 'block',
    height: '12px',
    borderRadius: '4px',
    overflow: 'hidden',
    bg: 'bg.sunken',
  },
  '& .axis > span': { position: 'absolute', insetBlock: '0' },
  '& .axis > .working': { bg: 'brand.solid', opacity: '0.28' },
  '& .axis > .booked': { bg: 'brand.solid', insetBlock: '3px', borderRadius: '2px' },
  '& .axis > .off': { bg: 'violet.subtle', color: 'violet.fg', backgroundImage: HATCH },
  '& .axis > .asked': { color: 'warn.fg', backgroundImage: HATCH },
  '& .axis > .outside': { bg: 'bad.solid', insetBlock: '3px', borderRadius: '2px' },
  '& .hours': {
    display: 'flex',
    alignItems: 'flex-end',
    gap: '2px',
    height: '48px',
    listStyleType: 'none',
  },
  '& .hour': { position: 'relative', flex: '1 1 0', height: '100%' },
  '& .hour > .people, & .hour > .busy, & .hour > .excess': {
    position: 'absolute',
    insetInline: '0',
    bottom: GROUND,
    borderRadius: '2px 2px 0 0',
    bg: 'brand.solid',
  },
  '& .hour > .people': { opacity: '0.24' },
  '& .hour > .excess': { bg: 'bad.solid' },
  // What needs a look is underlined, not painted.
  '& .hour > .ground': {
    position: 'absolute',
    insetInline: '0',
    bottom: '0',
    height: '3px',
    borderRadius: '2px',
    bg: 'bg.sunken',
  },
  '& .hour[data-strain=tight] > .ground': { bg: 'warn.fg' },
  '& .hour[data-strain=short] > .ground': { bg: 'bad.solid' },
};

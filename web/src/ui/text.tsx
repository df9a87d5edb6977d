import { chakra } from '@chakra-ui/react';

/** Heading 1: 2rem at weight 600. */
export const H1 = chakra('h1', {
  base: {
    fontSize: '2rem',
    fontWeight: '600',
    lineHeight: '1.2',
    letterSpacing: '-0.02em',
    overflowWrap: 'anywhere',
  },
});

/** Heading 2: 1.5rem at weight 500. */
export const H2 = chakra('h2', {
  base: {
    fontSize: '1.5rem',
    fontWeight: '500',
    lineHeight: '1.25',
    letterSpacing: '-0.01em',
    overflowWrap: 'anywhere',
  },
});

export const H3 = chakra('h3', {
  base: { fontSize: '1rem', fontWeight: '600', lineHeight: '1.4' },
});

export const Text = chakra('p', { base: { overflowWrap: 'anywhere' } });

/** What supports the line above it. */
export const Muted = chakra('p', {
  base: { color: 'fg.muted', fontSize: '0.9375rem', overflowWrap: 'anywhere' },
});

/** Figures that must not dance while they change. */
export const Figures = chakra('span', { base: { fontVariantNumeric: 'tabular-nums' } });

export const ScreenReaderOnly = chakra('span', { base: { srOnly: true } });

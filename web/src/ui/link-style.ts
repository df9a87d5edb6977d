import { defineRecipe } from '@chakra-ui/react';

/** Primary is never body text: links are the secondary colour, a lighter tint of it in the dark. */
export const linkRecipe = defineRecipe({
  base: {
    color: 'link',
    fontWeight: '550',
    textDecoration: 'underline',
    textDecorationColor: 'color-mix(in srgb, currentColor 35%, transparent)',
    textUnderlineOffset: '0.2em',
    borderRadius: '2px',
    _hover: { textDecorationColor: 'currentColor' },
    // As high as a finger, and the line as high as before.
    '@media (pointer: coarse)': { py: '2.5', my: '-2.5' },
  },
  variants: {
    /** Names that lead somewhere, among other text: plain until pointed at. */
    plain: { true: { color: 'fg', textDecoration: 'none', _hover: { textDecoration: 'underline' } } },
  },
});

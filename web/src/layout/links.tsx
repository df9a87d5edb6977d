import { chakra } from '@chakra-ui/react';
import { Link } from 'react-router';
import { buttonRecipe } from '../ui/button';
import { linkRecipe } from '../ui/link-style';

/** A link in running text. */
export const TextLink = chakra(Link, linkRecipe);

/** A link that looks like a button, for going somewhere. */
export const ButtonLink = chakra(Link, buttonRecipe);

export const rowLinkStyle = {
  base: {
    color: 'fg',
    fontWeight: '600',
    textDecoration: 'none',
    overflowWrap: 'anywhere',
    lineClamp: '2',
    _after: { content: '""', position: 'absolute', inset: '0' },
    _focusVisible: {
      outline: 'none',
      _after: { outline: '2px solid', outlineColor: 'focus', outlineOffset: '-3px', borderRadius: 'button' },
    },
  },
} as const;

/** A link that covers its whole row, so that the row is one target and one stop. */
export const RowLink = chakra(Link, rowLinkStyle);

import { chakra } from '@chakra-ui/react';

/** The button of a menu. */
export const MenuTrigger = chakra('button', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '2.5',
    minHeight: '11',
    minWidth: '11',
    px: '2',
    borderRadius: 'button',
    color: 'fg.toolbar',
    textAlign: 'start',
    cursor: 'pointer',
    transition: 'colors',
    _hover: { bg: 'bg.hover' },
    _expanded: { bg: 'bg.hover' },
  },
});

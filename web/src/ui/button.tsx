import { chakra, defineRecipe, type HTMLChakraProps, type RecipeVariantProps } from '@chakra-ui/react';
import type { MouseEvent, ReactNode, Ref } from 'react';
import { Spinner } from './spinner';

export const buttonRecipe = defineRecipe({
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '2',
    borderRadius: 'button',
    fontFamily: 'body',
    py: '1.5',
    lineHeight: '1.2',
    whiteSpace: 'nowrap',
    cursor: 'pointer',
    textDecoration: 'none',
    border: '1px solid transparent',
    transition: 'colors',
    userSelect: 'none',
    _disabled: { opacity: '0.55', cursor: 'not-allowed' },
    _pressed: { bg: 'brand.subtle', color: 'brand.fg', _hover: { bg: 'brand.hover' } },
  },
  variants: {
    variant: {
      // White on primary is 4.1:1, enough for large bold labels only.
      contained: {
        bg: 'brand.solid',
        color: 'white',
        fontSize: '1.1875rem',
        fontWeight: '700',
        minHeight: '12',
        px: '5',
        _hover: { bg: 'brand.pressed' },
      },
      danger: {
        bg: 'bad.solid',
        color: 'white',
        fontSize: '1.1875rem',
        fontWeight: '700',
        minHeight: '12',
        px: '5',
        _hover: { filter: 'brightness(0.92)' },
      },
      outline: {
        bg: 'bg.card',
        color: 'fg',
        borderColor: 'line.strong',
        fontSize: '1rem',
        fontWeight: '550',
        minHeight: '11',
        px: '4',
        _hover: { bg: 'bg.hover' },
      },
      tinted: {
        bg: 'brand.subtle',
        color: 'brand.fg',
        borderColor: 'brand.fg',
        fontSize: '1rem',
        fontWeight: '550',
        minHeight: '11',
        px: '4',
        _hover: { bg: 'brand.hover' },
      },
      dangerOutline: {
        bg: 'bg.card',
        color: 'bad.fg',
        borderColor: 'bad.line',
        fontSize: '1rem',
        fontWeight: '550',
        minHeight: '11',
        px: '4',
        _hover: { bg: 'bad.subtle' },
      },
      quiet: {
        bg: 'transparent',
        color: 'fg.toolbar',
        fontSize: '0.9375rem',
        fontWeight: '550',
        minHeight: '11',
        px: '3',
        _hover: { bg: 'bg.hover' },
      },
    },
  },
  defaultVariants: { variant: 'outline' },
});

const Base = chakra('button', buttonRecipe);

export type ButtonProps = HTMLChakraProps<'button', RecipeVariantProps<typeof buttonRecipe>> & {
  loading?: boolean;
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
};

/** Neither presses nor sends its form. */
const takeNoPress = (event: MouseEvent) => event.preventDefault();

/**
 * A button; while loading it keeps its label, its place and the focus, and takes no second press.
 * Browsers take the focus from a disabled button, and a dialog that it opens could not give it back.
 */
export function Button({ loading = false, onClick, children, ...rest }: ButtonProps) {
  return (
    <Base
      type="button"
      aria-busy={loading || undefined}
      aria-disabled={loading || undefined}
      {...rest}
      onClick={loading ? takeNoPress : onClick}
    >
      {loading && <Spinner />}
      {children}
    </Base>
  );
}

import { chakra, type HTMLChakraProps } from '@chakra-ui/react';
import type { ReactNode, Ref } from 'react';

const Label = chakra('label', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    minHeight: '11',
    fontSize: '1rem',
    cursor: 'pointer',
    overflowWrap: 'anywhere',
  },
});

const Box = chakra('input', {
  base: {
    // A browser's own dark box looks as if it were disabled.
    appearance: 'none',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    width: '5',
    height: '5',
    flexShrink: '0',
    border: '1px solid',
    borderColor: 'line.strong',
    borderRadius: 'field',
    bg: 'bg.card',
    cursor: 'pointer',
    _after: {
      content: '""',
      width: '3',
      height: '3',
      bg: 'white',
      clipPath: 'polygon(14% 46%, 2% 60%, 40% 95%, 98% 18%, 83% 6%, 38% 68%)',
      opacity: '0',
    },
    _checked: { bg: 'brand.solid', borderColor: 'brand.solid', _after: { opacity: '1' } },
    _disabled: { opacity: '0.5', cursor: 'default' },
    // With forced colours the browser's own box is shown.
    '@media (forced-colors: active)': { appearance: 'auto', _after: { display: 'none' } },
  },
});

type CheckFieldProps = HTMLChakraProps<'input'> & { label: ReactNode; ref?: Ref<HTMLInputElement> };

/** A box to tick; its whole line is the target. */
export function CheckField({ label, ...rest }: CheckFieldProps) {
  return (
    <Label>
      <Box type="checkbox" {...rest} />
      <span>{label}</span>
    </Label>
  );
}

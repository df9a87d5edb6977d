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
  base: { width: '5', height: '5', flexShrink: '0', accentColor: '{colors.brand.solid}', cursor: 'pointer' },
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

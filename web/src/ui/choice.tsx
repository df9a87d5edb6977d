import { chakra, Flex } from '@chakra-ui/react';
import { useId } from 'react';

const Face = chakra('label', {
  base: {
    position: 'relative',
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    minHeight: '11',
    px: { base: '3', sm: '3.5' },
    fontSize: '0.9375rem',
    fontWeight: '500',
    borderRadius: 'button',
    border: '1px solid',
    borderColor: 'line.strong',
    bg: 'bg.card',
    cursor: 'pointer',
    transition: 'colors',
    _hover: { bg: 'bg.hover' },
    '&:has(:checked)': {
      bg: 'brand.subtle',
      color: 'brand.fg',
      borderColor: 'brand.fg',
      fontWeight: '600',
      _hover: { bg: 'brand.hover' },
    },
    '&:has(:focus-visible)': { outline: '2px solid', outlineColor: 'focus', outlineOffset: '2px' },
  },
});

type ChoiceProps<T extends string | number> = {
  legend: string;
  value: T;
  options: readonly (readonly [value: T, text: string])[];
  onChange: (value: T) => void;
};

/** One of a few, all in sight: radio buttons that look like buttons. */
export function Choice<T extends string | number>({ legend, value, options, onChange }: ChoiceProps<T>) {
  const name = useId();
  return (
    <chakra.fieldset minWidth="0">
      <chakra.legend fontSize="0.9375rem" fontWeight="550" mb="1.5">
        {legend}
      </chakra.legend>
      <Flex gap={{ base: '1.5', sm: '2' }} wrap="wrap">
        {options.map(([option, text]) => (
          <Face key={option}>
            <chakra.input
              type="radio"
              name={name}
              srOnly
              checked={option === value}
              onChange={() => onChange(option)}
            />
            {text}
          </Face>
        ))}
      </Flex>
    </chakra.fieldset>
  );
}

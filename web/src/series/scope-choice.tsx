import { chakra, Stack } from '@chakra-ui/react';
import { useId } from 'react';
import { type Scope, type ScopeOption, scopeText } from './scopes';

const Line = chakra('label', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    minHeight: '11',
    px: '3.5',
    py: '2',
    border: '1px solid',
    borderColor: 'line.strong',
    borderRadius: 'button',
    bg: 'bg.card',
    cursor: 'pointer',
    _hover: { bg: 'bg.hover' },
    '&:has(:checked)': { borderColor: 'brand.fg', bg: 'brand.subtle', fontWeight: '550' },
    '&:has(:focus-visible)': { outline: '2px solid', outlineColor: 'focus', outlineOffset: '2px' },
  },
});

type ScopeChoiceProps = {
  legend: string;
  options: readonly ScopeOption[];
  zone: string;
  value: Scope;
  onChange: (scope: Scope) => void;
};

/** Which visits of a series a change is meant for, each choice with how many and until when. */
export function ScopeChoice({ legend, options, zone, value, onChange }: ScopeChoiceProps) {
  const name = useId();
  return (
    <chakra.fieldset minWidth="0">
      <chakra.legend fontSize="0.9375rem" fontWeight="550" mb="1.5">
        {legend}
      </chakra.legend>
      <Stack gap="2">
        {options.map((option) => (
          <Line key={option.scope}>
            <chakra.input
              type="radio"
              name={name}
              width="5"
              height="5"
              flexShrink="0"
              accentColor="brand.solid"
              checked={option.scope === value}
              onChange={() => onChange(option.scope)}
            />
            <span>{scopeText(option, zone)}</span>
          </Line>
        ))}
      </Stack>
    </chakra.fieldset>
  );
}

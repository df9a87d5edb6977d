import { chakra, Flex } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import * as z from 'zod/mini';
import { PasswordField } from '../ui/field';
import { LEAST_LENGTH, type Strength, strengthOf, strengthText } from './password-strength';

/** As long as the server wants it, and nothing else asked. */
export const newPassword = z
  .string()
  .check(z.minLength(LEAST_LENGTH, `Use at least ${LEAST_LENGTH} characters.`));

const BARS = { none: 0, short: 1, guessable: 1, fair: 2, good: 3, strong: 4 };
const COLOURS = {
  none: 'line',
  short: 'bad.fg',
  guessable: 'bad.fg',
  fair: 'warn.fg',
  good: 'good.fg',
  strong: 'good.fg',
};

type NewPasswordProps = Omit<ComponentProps<typeof PasswordField>, 'hint'> & {
  /** The field's current text. */
  typed: string;
  /** Name and address: they make poor passwords. */
  aboutPerson?: readonly string[];
};

/** A field for a new password, with its strength as bars and in words. */
export function NewPasswordField({ typed, aboutPerson = [], ...rest }: NewPasswordProps) {
  const strength = strengthOf(typed, aboutPerson);
  return <PasswordField autoComplete="new-password" hint={<Meter strength={strength} />} {...rest} />;
}

function Meter({ strength }: { strength: Strength }) {
  return (
    <chakra.span display="flex" flexDirection="column" gap="1.5">
      {strength.kind !== 'none' && (
        <Flex as="span" gap="1" aria-hidden pt="0.5">
          {[1, 2, 3, 4].map((bar) => (
            <chakra.span
              key={bar}
              flex="1"
              height="4px"
              borderRadius="full"
              transition="colors"
              bg={bar <= BARS[strength.kind] ? COLOURS[strength.kind] : 'line'}
            />
          ))}
        </Flex>
      )}
      <span aria-live="polite">{strengthText(strength)}</span>
    </chakra.span>
  );
}

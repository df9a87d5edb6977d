import { Box, chakra, Flex, type HTMLChakraProps } from '@chakra-ui/react';
import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, type Ref, useId, useState } from 'react';

/** What lines of text, areas and choices look like. */
export const controlBase = {
  width: '100%',
  ps: '3.5',
  pe: '3.5',
  fontSize: '1rem',
  color: 'fg',
  bg: 'bg.card',
  border: '1px solid',
  borderColor: 'line.strong',
  borderRadius: 'field',
  transition: 'colors',
  _hover: { borderColor: 'fg.muted' },
  _focusVisible: {
    outline: '2px solid',
    outlineColor: 'focus',
    outlineOffset: '-1px',
    borderColor: 'focus',
  },
  _invalid: { borderColor: 'bad.fg' },
  _disabled: { bg: 'bg.sunken', color: 'fg.muted', borderColor: 'line', cursor: 'not-allowed' },
} as const;

export const TextControl = chakra('input', {
  base: { ...controlBase, minHeight: '12', _placeholder: { color: 'fg.muted' } },
});

const Area = chakra('textarea', {
  base: { ...controlBase, minHeight: '20', py: '2.5', resize: 'vertical' },
});

export type FrameProps = {
  id: string;
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Said, not shown: where what stands beside it says the same. */
  silent?: boolean;
  children: ReactNode;
};

/** A label above a control, its hint or error below. */
export function FieldFrame({ id, label, hint, error, silent = false, children }: FrameProps) {
  return (
    <Flex direction="column" gap="1.5">
      <chakra.label
        id={`${id}-label`}
        htmlFor={id}
        srOnly={silent}
        fontSize="0.9375rem"
        fontWeight="550"
        overflowWrap="anywhere"
      >
        {label}
      </chakra.label>
      {children}
      {hint && !error && (
        <chakra.p id={`${id}-hint`} color="fg.muted" fontSize="0.875rem">
          {hint}
        </chakra.p>
      )}
      {error && (
        <chakra.p id={`${id}-error`} color="bad.fg" fontSize="0.875rem" fontWeight="550">
          {error}
        </chakra.p>
      )}
    </Flex>
  );
}

/** Ties a control to what `FieldFrame` writes about it. */
export function described(id: string, hint: ReactNode, error: string | undefined) {
  return {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? `${id}-error` : hint ? `${id}-hint` : undefined,
  };
}

type FieldProps = HTMLChakraProps<'input'> & {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  ref?: Ref<HTMLInputElement>;
};

/** A labelled line of text with its hint or its error. */
export function TextField({ label, hint, error, ...rest }: FieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <TextControl {...described(id, hint, error)} {...rest} />
    </FieldFrame>
  );
}

/** A password that its owner may look at. */
export function PasswordField({ label, hint, error, ...rest }: FieldProps) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <Box position="relative">
        <TextControl {...described(id, hint, error)} pr="12" {...rest} type={shown ? 'text' : 'password'} />
        <chakra.button
          type="button"
          position="absolute"
          insetBlock="1px"
          right="1px"
          width="11"
          minWidth="44px"
          display="grid"
          placeItems="center"
          borderRadius="field"
          color="fg.muted"
          cursor="pointer"
          _hover={{ color: 'fg' }}
          aria-label={shown ? 'Hide password' : 'Show password'}
          onClick={() => setShown(!shown)}
        >
          <Icon size={20} aria-hidden />
        </chakra.button>
      </Box>
    </FieldFrame>
  );
}

type AreaProps = HTMLChakraProps<'textarea'> & Pick<FieldProps, 'label' | 'hint' | 'error'>;

export function TextArea({ label, hint, error, ...rest }: AreaProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <Area {...described(id, hint, error)} {...rest} />
    </FieldFrame>
  );
}

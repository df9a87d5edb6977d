import { chakra, type HTMLChakraProps } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, type Ref, useId } from 'react';
import { controlBase, described, FieldFrame } from './field';

const Control = chakra('select', {
  base: {
    ...controlBase,
    minHeight: '12',
    pe: '11',
    appearance: 'none',
    cursor: 'pointer',
    textOverflow: 'ellipsis',
  },
  variants: {
    look: {
      field: {},
      /** Text that can be changed: no frame until it is hovered. */
      quiet: {
        minHeight: '11',
        ps: '2.5',
        pe: '9',
        fontSize: '0.9375rem',
        bg: 'transparent',
        fieldSizing: 'content',
        borderColor: 'transparent',
        _hover: { bg: 'bg.hover' },
      },
      /** Among buttons. */
      tool: {
        minHeight: '11',
        ps: '3',
        pe: '9',
        fontSize: '0.9375rem',
        fontWeight: '550',
        borderRadius: 'button',
        _hover: { bg: 'bg.hover' },
      },
    },
  },
  defaultVariants: { look: 'field' },
});

type SelectFieldProps = HTMLChakraProps<'select'> & {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Its label is said, not shown. */
  silent?: boolean;
  /** Alone in a form, as a text beside what matters more, or among buttons. */
  look?: 'field' | 'quiet' | 'tool';
  ref?: Ref<HTMLSelectElement>;
  /** `option` elements. */
  children: ReactNode;
};

/** A labelled choice of a few. The browser's own list opens, on a phone the one people know. */
export function SelectField(props: SelectFieldProps) {
  const { label, hint, error, silent = false, look = 'field', children, ...rest } = props;
  const id = useId();
  const slim = look !== 'field';
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} silent={silent}>
      <chakra.div position="relative">
        <Control look={look} {...described(id, hint, error)} {...rest}>
          {children}
        </Control>
        <chakra.span
          position="absolute"
          insetBlock="0"
          right={slim ? '2.5' : '3.5'}
          display="grid"
          placeItems="center"
          color="fg.muted"
          pointerEvents="none"
        >
          <ChevronDown size={slim ? 16 : 18} aria-hidden />
        </chakra.span>
      </chakra.div>
    </FieldFrame>
  );
}

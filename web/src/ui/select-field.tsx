import { chakra, type HTMLChakraProps } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, type Ref, useId } from 'react';
import { controlBase, described, FieldFrame } from './field';

const Control = chakra('select', {
  base: { ...controlBase, minHeight: '12', pe: '11', appearance: 'none', cursor: 'pointer' },
});

/** Text that can be changed: no frame until somebody points at it. */
const QuietControl = chakra('select', {
  base: {
    ...controlBase,
    minHeight: '11',
    ps: '2.5',
    pe: '9',
    fontSize: '0.9375rem',
    bg: 'transparent',
    borderColor: 'transparent',
    appearance: 'none',
    cursor: 'pointer',
    _hover: { bg: 'bg.hover' },
  },
});

type SelectFieldProps = HTMLChakraProps<'select'> & {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Its label is said, not shown. */
  silent?: boolean;
  /** Beside what matters more. */
  quiet?: boolean;
  ref?: Ref<HTMLSelectElement>;
  /** `option` elements. */
  children: ReactNode;
};

/** A labelled choice of a few. The browser's own list opens, on a phone the one people know. */
export function SelectField(props: SelectFieldProps) {
  const { label, hint, error, silent = false, quiet = false, children, ...rest } = props;
  const id = useId();
  const Shown = quiet ? QuietControl : Control;
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} silent={silent}>
      <chakra.div position="relative">
        <Shown {...described(id, hint, error)} {...rest}>
          {children}
        </Shown>
        <chakra.span
          position="absolute"
          insetBlock="0"
          right={quiet ? '2.5' : '3.5'}
          display="grid"
          placeItems="center"
          color="fg.muted"
          pointerEvents="none"
        >
          <ChevronDown size={quiet ? 16 : 18} aria-hidden />
        </chakra.span>
      </chakra.div>
    </FieldFrame>
  );
}

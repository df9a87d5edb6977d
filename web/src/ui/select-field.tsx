import { chakra, type HTMLChakraProps } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, type Ref, useId } from 'react';
import { controlBase, described, FieldFrame } from './field';

const Control = chakra('select', {
  base: { ...controlBase, minHeight: '12', pe: '11', appearance: 'none', cursor: 'pointer' },
});

type SelectFieldProps = HTMLChakraProps<'select'> & {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Its label is said, not shown. */
  silent?: boolean;
  ref?: Ref<HTMLSelectElement>;
  /** `option` elements. */
  children: ReactNode;
};

/** A labelled choice of a few. The browser's own list opens, on a phone the one people know. */
export function SelectField({ label, hint, error, silent = false, children, ...rest }: SelectFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} silent={silent}>
      <chakra.div position="relative">
        <Control {...described(id, hint, error)} {...rest}>
          {children}
        </Control>
        <chakra.span
          position="absolute"
          insetBlock="0"
          right="3.5"
          display="grid"
          placeItems="center"
          color="fg.muted"
          pointerEvents="none"
        >
          <ChevronDown size={18} aria-hidden />
        </chakra.span>
      </chakra.div>
    </FieldFrame>
  );
}

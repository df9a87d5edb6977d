import { Box, chakra } from '@chakra-ui/react';
import { type KeyboardEvent, type ReactNode, type Ref, useId, useState } from 'react';
import { TextField } from './field';

export type Option = { key: string; text: string; detail?: string; icon?: ReactNode };

type ComboboxProps = {
  label: string;
  hint?: ReactNode;
  placeholder?: string;
  text: string;
  options: Option[];
  /** What stands under the options: that more are looked for, or that there are none. */
  note?: string;
  ref?: Ref<HTMLInputElement>;
  onText: (text: string) => void;
  onPick: (key: string) => void;
};

/** A line of text that finds something: arrows choose, Enter takes, Escape closes the list and nothing else. */
export function Combobox({
  label,
  hint,
  placeholder,
  text,
  options,
  note,
  ref,
  onText,
  onPick,
}: ComboboxProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const shown = open && (options.length > 0 || note !== undefined);
  const current = shown ? options[Math.min(at, options.length - 1)] : undefined;

  const pick = (key: string) => {
    setOpen(false);
    onPick(key);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && shown) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    } else if (event.key === 'Enter') {
      // The form around it is sent by its button alone.
      event.preventDefault();
      if (current) pick(current.key);
      else setOpen(true);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (shown) setAt((Math.min(at, options.length - 1) + step + options.length) % options.length);
    }
  };

  return (
    <Box
      position="relative"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <TextField
        ref={ref}
        label={label}
        hint={hint}
        placeholder={placeholder}
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        aria-expanded={shown}
        aria-controls={shown ? id : undefined}
        aria-autocomplete="list"
        aria-activedescendant={current && `${id}-${current.key}`}
        value={text}
        onChange={(event) => {
          onText(event.currentTarget.value);
          setAt(0);
          setOpen(true);
        }}
        onClick={() => setOpen(true)}
        onKeyDown={onKeyDown}
      />
      {shown && (
        <Box
          position="absolute"
          insetX="0"
          top="calc(100% + 4px)"
          zIndex="menu"
          maxHeight="18rem"
          overflowY="auto"
          bg="bg.card"
          border="1px solid"
          borderColor="line"
          borderRadius="button"
          boxShadow="float"
          p="1"
          // The list is worked from the field: nothing in it takes the focus away.
          tabIndex={-1}
          onMouseDown={(event) => event.preventDefault()}
        >
          <div id={id} role="listbox" aria-label={label}>
            {options.map((option) => (
              <Row
                key={option.key}
                id={`${id}-${option.key}`}
                option={option}
                current={option === current}
                onPick={() => pick(option.key)}
              />
            ))}
          </div>
          {note && (
            <chakra.p role="status" px="3" py="2" color="fg.muted" fontSize="0.875rem">
              {note}
            </chakra.p>
          )}
        </Box>
      )}
    </Box>
  );
}

type RowProps = { id: string; option: Option; current: boolean; onPick: () => void };

function Row({ id, option, current, onPick }: RowProps) {
  return (
    <chakra.div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={current}
      ref={(element: HTMLDivElement | null) => {
        if (current) element?.scrollIntoView({ block: 'nearest' });
      }}
      display="flex"
      alignItems="center"
      gap="3"
      minHeight="11"
      px="3"
      py="1.5"
      borderRadius="field"
      cursor="pointer"
      bg={current ? 'bg.hover' : undefined}
      _hover={{ bg: 'bg.hover' }}
      onClick={onPick}
    >
      {option.icon}
      <Box minWidth="0" overflowWrap="anywhere">
        <chakra.span display="block" fontWeight="550" fontSize="0.9375rem">
          {option.text}
        </chakra.span>
        {option.detail && (
          <chakra.span display="block" fontSize="0.8125rem" color="fg.muted">
            {option.detail}
          </chakra.span>
        )}
      </Box>
    </chakra.div>
  );
}

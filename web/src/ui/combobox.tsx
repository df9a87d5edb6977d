import { Combobox as Base, Box, chakra, createListCollection, Flex } from '@chakra-ui/react';
import { type ReactNode, type Ref, useId, useMemo, useState } from 'react';
import { described, FieldFrame, TextControl } from './field';

export type Option = { key: string; text: string; detail?: string; icon?: ReactNode };

type ComboboxProps = {
  label: string;
  hint?: ReactNode;
  placeholder?: string;
  text: string;
  options: Option[];
  /** What stands under the options: that more are looked for, or that there are none. */
  note?: string;
  /** Its list is open from the beginning, for a text that was typed before it was there. */
  startsOpen?: boolean;
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
  startsOpen = false,
  ref,
  onText,
  onPick,
}: ComboboxProps) {
  const id = useId();
  const [open, setOpen] = useState(startsOpen);
  const [first] = options;
  const shown = open && (options.length > 0 || note !== undefined);
  const collection = useMemo(
    () => createListCollection({ items: options, itemToValue: ({ key }) => key }),
    [options],
  );

  return (
    <FieldFrame id={id} label={label} hint={hint}>
      <Base.Root
        ids={{ input: id, label: `${id}-label` }}
        collection={collection}
        open={shown}
        {...(first && startsOpen ? { defaultHighlightedValue: first.key } : {})}
        inputValue={text}
        value={NOTHING}
        // What is picked goes on to the page; the text is the person's.
        selectionBehavior="preserve"
        allowCustomValue
        inputBehavior="autohighlight"
        openOnClick
        positioning={{ strategy: 'fixed', gutter: 4 }}
        onOpenChange={(change) => setOpen(change.open)}
        onInputValueChange={({ inputValue, reason }) => {
          if (reason === 'input-change') onText(inputValue);
        }}
        onSelect={({ itemValue }) => itemValue !== undefined && onPick(itemValue)}
        // It would take Escape even then, and with it the way out of the dialog.
        onKeyDownCapture={(event) => {
          if (event.key === 'Escape' && !shown) event.stopPropagation();
        }}
        // The form around it is sent by its button alone.
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
        }}
      >
        <Base.Control>
          <Base.Input asChild>
            <TextControl ref={ref} {...described(id, hint, undefined)} placeholder={placeholder} />
          </Base.Input>
        </Base.Control>
        {/* Beside the field: a list in a dialog stays in front of it. */}
        <Base.Positioner>
          <Box
            hidden={!shown}
            zIndex="menu"
            bg="bg.card"
            border="1px solid"
            borderColor="line"
            borderRadius="button"
            boxShadow="float"
            p="1"
            // The list is worked from the field: nothing in it takes the focus away.
            onMouseDown={(event) => event.preventDefault()}
          >
            {/* What scrolls is the list itself: arrows keep what they highlight in sight. */}
            <Base.Content maxHeight={LIST_HEIGHT} overflowY="auto">
              {options.map((option) => (
                <Row key={option.key} option={option} />
              ))}
            </Base.Content>
            {note && (
              <chakra.p role="status" px="3" py="2" color="fg.muted" fontSize="0.875rem">
                {note}
              </chakra.p>
            )}
          </Box>
        </Base.Positioner>
      </Base.Root>
    </FieldFrame>
  );
}

const NOTHING: string[] = [];

/**
 * Within the window, with a note below it, as on an enlarged page or above a phone's keyboard. A place that is made for
 * the list gives it more room by `--list-height`.
 */
const LIST_HEIGHT = 'min(var(--list-height, 18rem), calc(var(--available-height, 100dvh) - 3rem))';

function Row({ option }: { option: Option }) {
  return (
    <Base.Item
      item={option}
      display="flex"
      alignItems="center"
      gap="3"
      minHeight="11"
      px="3"
      py="1.5"
      borderRadius="field"
      cursor="pointer"
      _highlighted={{ bg: 'bg.hover' }}
    >
      {option.icon && (
        // Pictures and symbols alike: what is beside them begins at one line.
        <Flex flexShrink="0" width="8" justify="center">
          {option.icon}
        </Flex>
      )}
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
    </Base.Item>
  );
}

import { chakra, Flex } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from './button';
import { described, FieldFrame, TextControl } from './field';

type WordsFieldProps = {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  words: string[];
  onChange: (words: string[]) => void;
};

/** A list of short texts: Enter adds what is typed, each goes with a press. */
export function WordsField({ label, hint, error, words, onChange }: WordsFieldProps) {
  const id = useId();
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);

  const add = () => {
    const word = text.trim();
    if (word === '') return;
    if (!words.some((other) => other.toLowerCase() === word.toLowerCase())) onChange([...words, word]);
    setText('');
    input.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || text.trim() === '') return;
    // The form it stands in is not finished with one word.
    event.preventDefault();
    add();
  };

  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <Flex gap="2">
        <TextControl
          ref={input}
          {...described(id, hint, error)}
          value={text}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={add}
        />
        <Button minHeight="12" onClick={add} aria-label={`Add to ${label.toLowerCase()}`}>
          Add
        </Button>
      </Flex>
      {words.length > 0 && (
        <Flex as="ul" listStyleType="none" gap="1.5" wrap="wrap" aria-label={label} pt="1">
          {words.map((word) => (
            <Flex
              as="li"
              key={word}
              align="center"
              ps="3"
              borderRadius="full"
              bg="quiet.subtle"
              color="quiet.fg"
              fontSize="0.9375rem"
              overflowWrap="anywhere"
            >
              {word}
              <Remove
                type="button"
                aria-label={`Remove ${word}`}
                onClick={() => {
                  onChange(words.filter((other) => other !== word));
                  input.current?.focus();
                }}
              >
                <X size={16} aria-hidden />
              </Remove>
            </Flex>
          ))}
        </Flex>
      )}
    </FieldFrame>
  );
}

const Remove = chakra('button', {
  base: {
    display: 'grid',
    placeItems: 'center',
    minWidth: { base: '11', md: '8' },
    minHeight: { base: '11', md: '8' },
    borderRadius: 'full',
    cursor: 'pointer',
    _hover: { bg: 'bg.hover', color: 'fg' },
  },
});

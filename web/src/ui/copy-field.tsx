import { Flex } from '@chakra-ui/react';
import { Check, Copy } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from './button';
import { described, FieldFrame, TextControl } from './field';
import { toasts } from './toasts';

type CopyFieldProps = { label: string; hint?: ReactNode; text: string };

/** A text to be entered elsewhere, with a button that copies it. */
export function CopyField({ label, hint, text }: CopyFieldProps) {
  const id = useId();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      toasts.show('bad', 'The browser did not let it be copied. Select the text and copy it.');
    }
  };
  return (
    <FieldFrame id={id} label={label} hint={hint}>
      <Flex gap="2">
        <TextControl
          {...described(id, hint, undefined)}
          readOnly
          value={text}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button
          onClick={() => void copy()}
          aria-label={copied ? `${label}: copied` : `Copy: ${label}`}
          minHeight="12"
        >
          {copied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </Flex>
    </FieldFrame>
  );
}

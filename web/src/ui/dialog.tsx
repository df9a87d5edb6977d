import { chakra, Flex, Stack } from '@chakra-ui/react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button';
import { H2 } from './text';

const Frame = chakra('dialog', {
  base: {
    margin: 'auto',
    width: 'min(30rem, calc(100vw - 32px))',
    maxHeight: 'calc(100dvh - 48px)',
    padding: '0',
    bg: 'bg.card',
    color: 'fg',
    border: '1px solid',
    borderColor: 'line',
    borderRadius: 'card',
    boxShadow: 'float',
    _open: { animation: 'arrive 0.16s ease-out' },
    _backdrop: { background: 'rgb(8 18 19 / 0.5)' },
  },
});

type ConfirmProps = {
  title: string;
  children: ReactNode;
  confirm: string;
  /** The way back, in its own words: "Keep appointment", never "Cancel" beside a cancellation. */
  keep: string;
  running: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before something that others will notice. The browser's own dialog holds focus and Escape. */
export function ConfirmDialog({ title, children, confirm, keep, running, onConfirm, onClose }: ConfirmProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    <Frame
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!running) onClose();
      }}
    >
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        <Stack gap="4" p={{ base: '5', sm: '6' }}>
          <H2 id={id}>{title}</H2>
          {children}
          <Flex gap="3" justify="flex-end" direction={{ base: 'column-reverse', sm: 'row' }} pt="2">
            <Button onClick={onClose} disabled={running} minHeight="12">
              {keep}
            </Button>
            <Button type="submit" variant="danger" loading={running}>
              {confirm}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Frame>
  );
}

import { chakra, Flex, Stack } from '@chakra-ui/react';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from './button';
import { Refusal } from './states';
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

type DialogProps = {
  title: string;
  children: ReactNode;
  /** For forms of more than a few fields. */
  wide?: boolean;
  /** While something runs, Escape waits. */
  busy?: boolean;
  onSubmit: () => void;
  onClose: () => void;
};

/** A form in front of everything else. The browser's own dialog holds focus and Escape. */
export function FormDialog({ title, children, wide = false, busy = false, onSubmit, onClose }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  // Closed while it still stands in the page, it gives the focus back to where it was.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  /** Browsers take a second Escape for closing, whatever the first was told. */
  const closed = () => {
    if (dialog.current?.open) return;
    if (busy) dialog.current?.showModal();
    else onClose();
  };

  return (
    <Frame
      ref={dialog}
      aria-labelledby={id}
      width={wide ? 'min(46rem, calc(100vw - 32px))' : undefined}
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) onClose();
      }}
      onClose={closed}
    >
      <form
        method="dialog"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // A dialog in a dialog's code is still inside its form to React.
          event.stopPropagation();
          onSubmit();
        }}
      >
        <Stack gap="4" p={{ base: '5', sm: '6' }}>
          <H2 id={id}>{title}</H2>
          {children}
        </Stack>
      </form>
    </Frame>
  );
}

/** The buttons at a dialog's foot, the way on last; on a phone it comes first. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <Flex gap="3" justify="flex-end" direction={{ base: 'column-reverse', sm: 'row' }} pt="2">
      {children}
    </Flex>
  );
}

type ConfirmProps = {
  title: string;
  children: ReactNode;
  confirm: string;
  /** The way back, in its own words: "Keep appointment", never "Cancel" beside a cancellation. */
  keep: string;
  running: boolean;
  /** Why it did not go the last time. */
  refused?: string | null;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before something that others will notice. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  keep,
  running,
  refused,
  onConfirm,
  onClose,
}: ConfirmProps) {
  return (
    <FormDialog title={title} busy={running} onSubmit={onConfirm} onClose={onClose}>
      {children}
      <Refusal>{refused}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          {keep}
        </Button>
        <Button type="submit" variant="danger" loading={running}>
          {confirm}
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

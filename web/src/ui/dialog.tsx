import { chakra, Flex, Stack } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Button } from './button';
import { longHeading } from './long-heading';
import { Refusal } from './states';
import { H2, Text } from './text';
import { useLeaving } from './use-leaving';
import { useModal } from './use-modal';

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
    // What has the focus is not below the buttons at its foot.
    scrollPaddingBottom: '6rem',
    _open: { animation: 'arrive 0.16s ease-out' },
    _backdrop: { background: 'rgb(8 18 19 / 0.5)' },
  },
  variants: {
    wide: {
      true: {
        width: { base: '100vw', sm: 'min(64rem, calc(100vw - 32px))' },
        maxWidth: '100vw',
        // As high as what is in it: between the edges of the screen, "auto" would be all of that.
        height: { base: '100dvh', sm: 'fit-content' },
        maxHeight: { base: '100dvh', sm: 'calc(100dvh - 48px)' },
        // It grows downwards, so that what is being filled in stays in its place.
        marginBlock: { base: '0', sm: '24px auto' },
        border: { base: 'none', sm: '1px solid' },
        borderColor: { sm: 'line' },
        borderRadius: { base: '0', sm: 'card' },
      },
    },
    // What is found unfolds below the field.
    finds: { true: { marginBlock: '12dvh auto', maxHeight: 'calc(88dvh - 24px)' } },
  },
});

type DialogProps = {
  title: string;
  children: ReactNode;
  /** While something runs, Escape waits. */
  busy?: boolean;
  /** Work of its own, rather than a question: two columns wide, and the whole of a phone. */
  wide?: boolean;
  /** Something was chosen by a press: it is asked before it is lost, as what was typed is. */
  chosen?: boolean;
  /** What is typed or chosen only looks something up: there is nothing to lose. */
  finds?: boolean;
  onSubmit: () => void;
  onClose: () => void;
};

/** A form in front of everything else. The browser's own dialog holds focus and Escape. */
export function FormDialog(props: DialogProps) {
  const {
    title,
    children,
    busy = false,
    wide = false,
    chosen = false,
    finds = false,
    onSubmit,
    onClose,
  } = props;
  const id = useId();
  const dialog = useModal();
  const { asking, leave, stay, watching } = useLeaving(dialog, onClose, { busy, chosen, finds });

  /** Browsers take a second Escape for closing, whatever the first was told. */
  const closed = () => {
    if (dialog.current?.open) return;
    dialog.current?.showModal();
    leave();
  };

  return (
    <>
      <Frame
        ref={dialog}
        wide={wide}
        finds={finds && !wide}
        aria-labelledby={id}
        onCancel={(event) => {
          // A dialog in front of it closes by itself.
          if (event.target !== dialog.current) return;
          event.preventDefault();
          leave();
        }}
        onClose={(event) => event.target === dialog.current && closed()}
        {...watching}
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
            <Flex justify="space-between" align="center" gap="3">
              <H2 id={id} {...longHeading(title)}>
                {title}
              </H2>
              {wide && (
                <Button
                  variant="quiet"
                  aria-label="Close"
                  disabled={busy}
                  onClick={leave}
                  minWidth="11"
                  me="-2"
                >
                  <X size={20} aria-hidden />
                </Button>
              )}
            </Flex>
            {children}
          </Stack>
        </form>
      </Frame>
      {asking && <LeaveQuestion onStay={stay} onLeave={onClose} />}
    </>
  );
}

/** Asks before what was typed or chosen is lost. */
export function LeaveQuestion({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <FormDialog title="Discard what you entered?" onSubmit={onStay} onClose={onStay}>
      <Text>What you typed or chose here would be lost.</Text>
      <DialogActions>
        <Button variant="dangerOutline" onClick={onLeave} minHeight="12">
          Discard
        </Button>
        <Button type="submit" variant="contained" autoFocus>
          Keep editing
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

/** In a dialog that is longer than the screen its buttons stay in sight, unless they would take most of it. */
const IN_SIGHT = {
  '@media (min-width: 600px) and (min-height: 700px)': {
    position: 'sticky',
    bottom: '0',
    // As far down as the dialog's own edge.
    marginBottom: '-6',
    paddingBottom: '6',
  },
} as const;

/** The buttons at a dialog's foot, the way on last; on a phone it comes first. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <Flex
      gap="3"
      justify="flex-end"
      direction={{ base: 'column-reverse', sm: 'row' }}
      pt="2"
      bg="bg.card"
      css={IN_SIGHT}
    >
      {children}
    </Flex>
  );
}

type SaveActionsProps = {
  save: string;
  saving: boolean;
  /** Takes what someone else saved meanwhile instead, where that refused the form. */
  startOver: (() => void) | undefined;
  onCancel: () => void;
};

/** The buttons at the foot of a form that adds or changes a record. */
export function SaveActions({ save, saving, startOver, onCancel }: SaveActionsProps) {
  return (
    <DialogActions>
      {startOver && (
        <Button onClick={startOver} minHeight="12">
          Start from how it is now
        </Button>
      )}
      <Button onClick={onCancel} disabled={saving} minHeight="12">
        Cancel
      </Button>
      <Button type="submit" variant="contained" loading={saving}>
        {save}
      </Button>
    </DialogActions>
  );
}

type ConfirmProps = {
  title: string;
  children: ReactNode;
  confirm: string;
  /** The label of the button that closes it: "Keep appointment", never "Cancel" beside a cancellation. */
  keep: string;
  running: boolean;
  /** Why the last attempt failed. */
  refused?: string | null;
  onConfirm: () => void;
  onClose: () => void;
};

/** Confirms an action. */
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

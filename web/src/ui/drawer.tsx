import { Box, chakra, Flex } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { LeaveQuestion } from './dialog';
import { longHeading } from './long-heading';
import { DRAWER_WIDTH } from './modals';
import { H2 } from './text';
import { useLeaving } from './use-leaving';
import { useModal } from './use-modal';

const Frame = chakra('dialog', {
  base: {
    margin: '0',
    insetBlock: '0',
    insetInlineStart: 'auto',
    insetInlineEnd: '0',
    width: `min(${DRAWER_WIDTH}, 100vw)`,
    maxWidth: '100vw',
    height: '100dvh',
    maxHeight: '100dvh',
    padding: '0',
    overflowY: 'auto',
    bg: 'bg.card',
    color: 'fg',
    borderInlineStart: '1px solid',
    borderColor: 'line',
    boxShadow: 'float',
    _open: { animation: 'arrive 0.16s ease-out' },
    _backdrop: { background: 'rgb(8 18 19 / 0.28)' },
  },
});

const Close = chakra('button', {
  base: {
    flexShrink: '0',
    display: 'grid',
    placeItems: 'center',
    width: '11',
    height: '11',
    me: '-2',
    borderRadius: 'button',
    color: 'fg.muted',
    cursor: 'pointer',
    _hover: { bg: 'bg.hover', color: 'fg' },
  },
});

type DrawerProps = { title: string; children: ReactNode; onClose: () => void };

/** A panel with the details of a record. Escape, the cross and a click outside close it, and ask first where something was typed. */
export function Drawer({ title, children, onClose }: DrawerProps) {
  const id = useId();
  const dialog = useModal('right');
  const { asking, leave, stay, watching } = useLeaving(dialog, onClose);

  return (
    <>
      <Frame
        ref={dialog}
        aria-labelledby={id}
        onCancel={(event) => {
          // A dialog in front of it closes by itself.
          if (event.target !== dialog.current) return;
          event.preventDefault();
          leave();
        }}
        {...watching}
      >
        <Box p={{ base: '4', sm: '6' }} minHeight="100%">
          <Flex gap="3" align="center" justify="space-between" mb="4">
            <H2 id={id} {...longHeading(title)}>
              {title}
            </H2>
            <Close type="button" aria-label="Close" onClick={leave}>
              <X size={22} aria-hidden />
            </Close>
          </Flex>
          {children}
        </Box>
      </Frame>
      {asking && <LeaveQuestion onStay={stay} onLeave={onClose} />}
    </>
  );
}

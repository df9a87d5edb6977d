import { chakra, Flex, Stack } from '@chakra-ui/react';
import { Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/dialog';
import { Muted } from '../ui/text';

const Item = chakra('li', {
  base: {
    py: '2.5',
    borderTop: '1px solid',
    borderColor: 'line',
    _first: { borderTop: 'none', pt: '0' },
  },
});

type RecordRowProps = {
  /** "patch test of Full colour": what the button deletes. */
  what: string;
  /** "patch test". */
  kind: string;
  signature: string;
  running: boolean;
  refused: string | null | undefined | false;
  onDelete: () => void;
  children: ReactNode;
};

/** A record about a customer, who made it, and a button to delete it. */
export function RecordRow({ what, kind, signature, running, refused, onDelete, children }: RecordRowProps) {
  const [asking, setAsking] = useState(false);
  return (
    <Item>
      <Flex gap="3" align="flex-start" justify="space-between">
        <Stack gap="0.5" minWidth="0">
          {children}
          <Muted fontSize="0.875rem">{signature}</Muted>
        </Stack>
        <Button
          variant="quiet"
          me="-3"
          flexShrink="0"
          aria-label={`Delete ${what}`}
          title="Delete"
          onClick={() => setAsking(true)}
        >
          <Trash2 size={18} aria-hidden />
        </Button>
      </Flex>
      {asking && (
        <ConfirmDialog
          title={`Delete this ${kind}?`}
          confirm={`Delete ${kind}`}
          keep={`Keep ${kind}`}
          running={running}
          refused={refused || null}
          onConfirm={onDelete}
          onClose={() => setAsking(false)}
        >
          {children}
        </ConfirmDialog>
      )}
    </Item>
  );
}

import { Box, Flex } from '@chakra-ui/react';
import { Trash2 } from 'lucide-react';
import type { CallView } from '../gen/frontdesk/telemetry/v1/call_view_pb';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { ScreenReaderOnly, Text } from '../ui/text';

type DeleteViewDialogProps = {
  views: CallView[];
  onDelete: (view: CallView) => void;
  onClose: () => void;
};

/** Saved filters, one of which is deleted: the message that follows offers to undo it. */
export function DeleteViewDialog({ views, onDelete, onClose }: DeleteViewDialogProps) {
  return (
    <FormDialog title="Delete a view" onSubmit={onClose} onClose={onClose}>
      <Box as="ul" aria-label="Your views" listStyleType="none">
        {views.map((view) => (
          <Flex
            as="li"
            key={view.id}
            gap="3"
            align="center"
            borderTop="1px solid"
            borderColor="line"
            _first={{ borderTop: 'none' }}
          >
            <Text flex="1" minWidth="0" overflowWrap="anywhere">
              {view.name}
            </Text>
            <Button variant="quiet" onClick={() => onDelete(view)}>
              <Trash2 size={18} aria-hidden />
              Delete<ScreenReaderOnly> “{view.name}”</ScreenReaderOnly>
            </Button>
          </Flex>
        ))}
      </Box>
      <DialogActions>
        <Button type="submit">Cancel</Button>
      </DialogActions>
    </FormDialog>
  );
}

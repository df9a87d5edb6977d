import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { Pencil, Pin, PinOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action';
import { undoRecordAction } from '../business/undo-change';
import { type CustomerNote, CustomerNoteService } from '../gen/frontdesk/tenancy/v1/customer_note_pb';
import { messageOf } from '../http/errors';
import { dateAndTime, moment } from '../time/zoned';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/dialog';
import { Refusal } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { NoteDialog } from './note-dialog';
import { notePages } from './queries';

type NoteRowProps = { businessId: string; note: CustomerNote; customerName: string; zone: string };

/** A note, who wrote it and when, and what can be done with it. */
export function NoteRow({ businessId, note, customerName, zone }: NoteRowProps) {
  const queries = useQueryClient();
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const { customerId, id: noteId, version, text } = note;
  const again = () =>
    void queries.invalidateQueries({ queryKey: notePages(businessId, customerId).queryKey });
  const tell = (said: string, changeId: string, undone: string) => {
    again();
    toasts.show('good', said, undoRecordAction(businessId, changeId, undone));
  };
  const pinning = useAction(CustomerNoteService.method.updateCustomerNote, {
    onDone: ({ changeId }, { pinned }) =>
      tell(
        `${pinned ? 'Pinned' : 'Unpinned'} the note about ${customerName}.`,
        changeId,
        `The note about ${customerName} is ${pinned ? 'no longer pinned' : 'pinned again'}.`,
      ),
    onRefused: again,
  });
  const deleting = useAction(CustomerNoteService.method.deleteCustomerNote, {
    onDone: ({ changeId }) => {
      setOpen(null);
      tell(`Deleted a note about ${customerName}.`, changeId, `The note about ${customerName} is back.`);
    },
  });
  const at = moment(note.createdAt);
  const about = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  const edited = note.editedBy && `edited by ${note.editorName || 'another account'}`;
  const signature = [note.authorName, at && dateAndTime(at, zone), edited].filter(Boolean).join(' · ');
  return (
    <Box py="3">
      <Stack gap="1">
        <Flex gap="3" justify="space-between" align="flex-start">
          <Text whiteSpace="pre-wrap" minWidth="0">
            {text}
          </Text>
          {note.pinned && <Badge tone="warn">Pinned</Badge>}
        </Flex>
        <Flex gap="1" align="center" justify="space-between" wrap="wrap">
          <Muted fontSize="0.875rem">{signature}</Muted>
          <Flex me="-3">
            <Button
              variant="quiet"
              loading={pinning.running}
              aria-label={`${note.pinned ? 'Unpin' : 'Pin'} ${about}`}
              title={note.pinned ? 'Unpin' : 'Pin'}
              onClick={() =>
                pinning.act({ businessId, customerId, noteId, version, text, pinned: !note.pinned })
              }
            >
              {note.pinned ? <PinOff size={18} aria-hidden /> : <Pin size={18} aria-hidden />}
            </Button>
            <Button variant="quiet" aria-label={`Edit ${about}`} title="Edit" onClick={() => setOpen('edit')}>
              <Pencil size={18} aria-hidden />
            </Button>
            <Button
              variant="quiet"
              aria-label={`Delete ${about}`}
              title="Delete"
              onClick={() => setOpen('delete')}
            >
              <Trash2 size={18} aria-hidden />
            </Button>
          </Flex>
        </Flex>
        <Refusal>{pinning.error && messageOf(pinning.error, 'The note could not be changed.')}</Refusal>
      </Stack>
      {open === 'edit' && (
        <NoteDialog
          businessId={businessId}
          note={note}
          onSaved={(changeId) =>
            tell(
              `Saved the note about ${customerName}.`,
              changeId,
              `The note about ${customerName} says what it said before.`,
            )
          }
          onRefused={again}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title="Delete this note?"
          confirm="Delete note"
          keep="Keep note"
          running={deleting.running}
          refused={deleting.error && messageOf(deleting.error, 'The note could not be deleted.')}
          onConfirm={() => deleting.act({ businessId, customerId, noteId })}
          onClose={() => setOpen(null)}
        >
          <Text whiteSpace="pre-wrap">{text}</Text>
        </ConfirmDialog>
      )}
    </Box>
  );
}

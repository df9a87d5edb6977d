import { useState } from 'react';
import { useAction } from '../api/action';
import { type CustomerNote, CustomerNoteService } from '../gen/frontdesk/tenancy/v1/customer_note_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { useKeptText } from '../session/use-draft';
import { Button } from '../ui/button';
import { CheckField } from '../ui/check-field';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextArea } from '../ui/field';
import { Refusal } from '../ui/states';
import { LONGEST_NOTE } from './longest-note';

type NoteDialogProps = {
  businessId: string;
  note: CustomerNote;
  onSaved: (changeId: string) => void;
  onRefused: () => void;
  onClose: () => void;
};

/** Changes a note. */
export function NoteDialog({ businessId, note, onSaved, onRefused, onClose }: NoteDialogProps) {
  const [text, setText] = useKeptText(`note ${note.id}`, note.text);
  const [pinned, setPinned] = useState(note.pinned);
  const [empty, setEmpty] = useState(false);
  const { act, running, error } = useAction(CustomerNoteService.method.updateCustomerNote, {
    onDone: ({ changeId }) => {
      onSaved(changeId);
      onClose();
    },
    onRefused,
  });
  const wrong = fieldErrorsOf(error);
  const save = () => {
    setEmpty(text.trim() === '');
    if (text.trim() === '') return;
    const { customerId, id: noteId, version } = note;
    act({ businessId, customerId, noteId, version, text: text.trim(), pinned });
  };
  return (
    <FormDialog title="Edit note" busy={running} onSubmit={save} onClose={onClose}>
      <TextArea
        label="Note"
        autoFocus
        maxLength={LONGEST_NOTE}
        error={empty ? 'Enter a note.' : wrong.text}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <CheckField
        label="Pin: show first, and with every booking and visit"
        checked={pinned}
        onChange={(event) => setPinned(event.target.checked)}
      />
      <Refusal>{error && !wrong.text ? messageOf(error, 'The note could not be saved.') : null}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          Save note
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

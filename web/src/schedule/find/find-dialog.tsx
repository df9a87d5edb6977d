import { useState } from 'react';
import type { Column } from '../../day/columns';
import { shortDayText } from '../../time/local-day';
import { Button } from '../../ui/button';
import { Combobox } from '../../ui/combobox';
import { DialogActions, FormDialog } from '../../ui/dialog';
import { timesOf } from '../cards/visit-face';
import { findVisits, MOST_FOUND } from './find-visits';

type FindDialogProps = {
  columns: readonly Column[];
  onFound: (key: string) => void;
  onClose: () => void;
};

/** Finds a visit among those that are shown, and goes there. */
export function FindDialog({ columns, onFound, onClose }: FindDialogProps) {
  const [text, setText] = useState('');
  const found = findVisits(columns, text);
  const days = new Set(columns.map(({ day }) => day)).size;
  const typed = text.trim();
  const note =
    found.length === MOST_FOUND
      ? 'The first of many: type more of the name.'
      : typed && found.length === 0
        ? `No visit ${days > 1 ? 'of this week' : 'of this day'} goes by “${typed}”.`
        : undefined;
  return (
    <FormDialog title="Find a visit" onSubmit={() => undefined} onClose={onClose}>
      <Combobox
        label="Customer, service or number"
        hint={`Looks at ${days > 1 ? 'this week' : 'this day'}. Of a number its last figures are enough.`}
        text={text}
        options={found.map((card) => ({
          key: card.key,
          text: card.customer,
          detail: [
            days > 1 && shortDayText(card.day),
            timesOf(card),
            card.services,
            card.employeeName && `with ${card.employeeName}`,
          ]
            .filter(Boolean)
            .join(' · '),
        }))}
        {...(note ? { note } : {})}
        onText={setText}
        onPick={onFound}
      />
      <DialogActions>
        <Button onClick={onClose} minHeight="12">
          Close
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

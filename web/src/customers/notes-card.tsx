import { Box, Flex, Stack } from '@chakra-ui/react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { undoRecordAction } from '../business/undo-change';
import { CustomerNoteService } from '../gen/frontdesk/tenancy/v1/customer_note_pb';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { useKeptText } from '../session/use-draft';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { CheckField } from '../ui/check-field';
import { TextArea } from '../ui/field';
import { LongList } from '../ui/long-list';
import { shortText } from '../ui/short-text';
import { RowsSkeleton } from '../ui/skeleton';
import { Refusal } from '../ui/states';
import { Muted } from '../ui/text';
import { toasts } from '../ui/toasts';
import { LONGEST_NOTE } from './longest-note';
import { NoteRow } from './note-row';
import { notePages } from './queries';

const ROW_HEIGHT = 92;

type NotesCardProps = { businessId: string; customer: Customer; zone: string };

/** What the salon notes about a customer, and a field for one more. */
export function NotesCard({ businessId, customer, zone }: NotesCardProps) {
  const query = useInfiniteQuery(notePages(businessId, customer.id));
  return (
    <Card title="Notes">
      <Stack gap="4">
        <Reading query={query} what="The notes" skeleton={<RowsSkeleton rows={2} label="Loading notes" />}>
          {({ pages }) => {
            const notes = pages.flatMap((page) => page.notes);
            if (notes.length === 0) return <Muted>No notes yet.</Muted>;
            return (
              <Box mt="-3">
                <LongList items={notes} keyOf={({ id }) => id} rowHeight={ROW_HEIGHT} label="Notes" lined>
                  {(note) => (
                    <NoteRow businessId={businessId} note={note} customerName={customer.name} zone={zone} />
                  )}
                </LongList>
              </Box>
            );
          }}
        </Reading>
        {query.hasNextPage && (
          <Button
            alignSelf="flex-start"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Show more notes
          </Button>
        )}
        <NewNote businessId={businessId} customer={customer} />
      </Stack>
    </Card>
  );
}

function NewNote({ businessId, customer: { id: customerId, name } }: Omit<NotesCardProps, 'zone'>) {
  const queries = useQueryClient();
  const [text, setText] = useKeptText('note');
  const [pinned, setPinned] = useState(false);
  const [empty, setEmpty] = useState(false);
  const { act, running, error } = useAction(CustomerNoteService.method.createCustomerNote, {
    onDone: ({ note, changeId }) => {
      setText('');
      setPinned(false);
      void queries.invalidateQueries({ queryKey: notePages(businessId, customerId).queryKey });
      toasts.show(
        'good',
        `Noted about ${name}: ${shortText(note?.text ?? '')}`,
        undoRecordAction(businessId, changeId, `The note about ${name} is gone again.`),
      );
    },
  });
  const wrong = fieldErrorsOf(error);
  return (
    <Box
      as="form"
      onSubmit={(event) => {
        event.preventDefault();
        setEmpty(text.trim() === '');
        if (text.trim() !== '') act({ businessId, customerId, text: text.trim(), pinned });
      }}
    >
      <Stack gap="2">
        <TextArea
          label="New note"
          maxLength={LONGEST_NOTE}
          error={empty ? 'Enter a note.' : wrong.text}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setEmpty(false);
          }}
        />
        <Refusal>{error && !wrong.text ? messageOf(error, 'The note could not be added.') : null}</Refusal>
        <Flex gap="3" align="center" justify="space-between" wrap="wrap">
          <CheckField
            label="Pin: show first, and with every booking and visit"
            checked={pinned}
            onChange={(event) => setPinned(event.target.checked)}
          />
          <Button type="submit" loading={running}>
            Add note
          </Button>
        </Flex>
      </Stack>
    </Box>
  );
}

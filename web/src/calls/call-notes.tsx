import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { may } from '../api/access';
import { intend, useAction } from '../api/action';
import { actorName } from '../business/actor-name';
import { meQuery, useBusinessRole } from '../business/queries';
import { takingBack } from '../business/taking-back';
import { useEmployeesOnRecord } from '../business/use-employees';
import { type CallNote, CallService } from '../gen/frontdesk/telemetry/v1/call_pb';
import { ApiError, fieldErrorsOf, messageOf } from '../http/errors';
import { useKeptText } from '../session/use-draft';
import { dateAndTime, moment } from '../time/zoned';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { TextArea } from '../ui/field';
import { shortText } from '../ui/short-text';
import { Refusal } from '../ui/states';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';
import { callQuery } from './queries';

const LONGEST_NOTE = 2000;

type CallNotesProps = { businessId: string; callId: string; notes: CallNote[]; zone: string };

/** What people noted about a call, and a place to note more. */
export function CallNotes({ businessId, callId, notes, zone }: CallNotesProps) {
  const queries = useQueryClient();
  const [text, setText] = useKeptText(`note of call ${callId}`);
  const again = () => void queries.invalidateQueries({ queryKey: callQuery(businessId, callId).queryKey });
  const { act, running, error } = useAction(CallService.method.createCallNote, {
    onDone: ({ note }) => {
      setText('');
      again();
      if (!note) return;
      const remove = (key: string) =>
        intend(CallService.method.deleteCallNote, { businessId, callId, noteId: note.id }, key);
      const undo = undos.push(takingBack(remove, 'The note is gone again.', again));
      toasts.show('good', `Noted: ${shortText(note.text)}`, undo);
    },
  });
  const wrong = fieldErrorsOf(error).text;
  return (
    <Card title="Notes">
      <Stack gap="4">
        {notes.length > 0 && (
          <Box as="ul" aria-label="Notes about this call" listStyleType="none">
            {notes.map((note) => (
              <Note
                key={note.id}
                businessId={businessId}
                callId={callId}
                note={note}
                zone={zone}
                onDeleted={again}
              />
            ))}
          </Box>
        )}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim()) act({ businessId, callId, text });
          }}
        >
          <Stack gap="3" align="flex-start">
            <Box width="100%">
              <TextArea
                label="New note"
                maxLength={LONGEST_NOTE}
                error={wrong}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
              />
            </Box>
            <Refusal>
              {error && !wrong ? messageOf(error, 'The note could not be saved.') : undefined}
            </Refusal>
            <Button type="submit" loading={running} disabled={text.trim() === ''}>
              Add note
            </Button>
          </Stack>
        </form>
      </Stack>
    </Card>
  );
}

const tooLate = (error: unknown) =>
  error instanceof ApiError && error.reason === 'NOT_FOUND'
    ? 'A deleted note can be put back once, within ten minutes.'
    : undefined;

type NoteProps = Omit<CallNotesProps, 'notes'> & { note: CallNote; onDeleted: () => void };

function Note({ businessId, callId, note, zone, onDeleted }: NoteProps) {
  const me = useQuery(meQuery()).data?.id ?? '';
  const role = useBusinessRole(businessId);
  const employees = useEmployeesOnRecord(businessId);
  const remove = useAction(CallService.method.deleteCallNote, {
    onDone: () => {
      onDeleted();
      const restore = (key: string) =>
        intend(CallService.method.restoreCallNote, { businessId, callId, noteId: note.id }, key);
      const undo = undos.push(takingBack(restore, 'The note is there again.', onDeleted, tooLate));
      toasts.show('good', 'Deleted the note.', undo);
    },
    onRefused: (error) => toasts.show('bad', messageOf(error, 'The note could not be deleted.')),
  });
  const at = moment(note.createdAt);
  const own = me !== '' && note.createdBy === `user:${me}`;
  // A manager deletes others' notes: as the server decides, by the least role of what managers alone do.
  const mayDelete = own || (role.kind === 'member' && may('MANAGER', role.role));
  return (
    <Flex
      as="li"
      gap="3"
      align="flex-start"
      py="2"
      borderTop="1px solid"
      borderColor="line"
      _first={{ borderTop: 'none' }}
    >
      <Stack gap="0" flex="1" minWidth="0">
        <Text whiteSpace="pre-wrap" overflowWrap="anywhere">
          {note.text}
        </Text>
        <Muted fontSize="0.875rem">
          {actorName(note.createdBy, employees, me)}
          {at && `, ${dateAndTime(at, zone)}`}
        </Muted>
      </Stack>
      {mayDelete && (
        <Button
          variant="quiet"
          loading={remove.running}
          onClick={() => remove.act({ businessId, callId, noteId: note.id })}
        >
          <Trash2 size={18} aria-hidden />
          <ScreenReaderOnly>Delete the note “{note.text}”</ScreenReaderOnly>
        </Button>
      )}
    </Flex>
  );
}

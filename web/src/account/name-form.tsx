import { Box, Flex } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { intend, useAction } from '../api/action';
import { takingBack } from '../business/taking-back';
import { AccountService } from '../gen/frontdesk/auth/v1/account_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { useKeptText } from '../session/use-draft';
import { Button } from '../ui/button';
import { TextField } from '../ui/field';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';
import { meQuery } from './queries';

const LONGEST_NAME = 200;

/** Changes the name, and changes it back. */
export function NameForm({ name }: { name: string }) {
  const [typed, setTyped] = useKeptText('name', name);
  const [error, setError] = useState('');
  const rename = useRename(name, setError);
  const wanted = typed.trim();
  const changed = wanted !== name;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!wanted) setError('Enter your name.');
    else if (changed && !rename.running) rename.act({ name: wanted });
  };

  return (
    <form onSubmit={submit} noValidate aria-label="Name">
      <Flex gap="3" align={{ base: 'stretch', sm: 'flex-start' }} direction={{ base: 'column', sm: 'row' }}>
        <Box flex="1">
          <TextField
            label="Name"
            autoComplete="name"
            maxLength={LONGEST_NAME}
            value={typed}
            error={error}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setError('');
            }}
          />
        </Box>
        {changed && (
          <Flex gap="3" pt={{ base: '0', sm: '1.875rem' }}>
            <Button type="submit" variant="contained" loading={rename.running}>
              Save
            </Button>
            <Button
              variant="quiet"
              minHeight="12"
              disabled={rename.running}
              onClick={() => {
                setTyped(name);
                setError('');
              }}
            >
              Discard
            </Button>
          </Flex>
        )}
      </Flex>
    </form>
  );
}

function useRename(before: string, onFieldError: (text: string) => void) {
  const queries = useQueryClient();
  const keep = (name: string) => queries.setQueryData(meQuery().queryKey, (me) => me && { ...me, name });
  const takeBack = takingBack(
    async (key) => {
      await intend(AccountService.method.renameMe, { name: before }, key);
      keep(before);
    },
    `Your name is ${before} again.`,
    () => void queries.invalidateQueries({ queryKey: meQuery().queryKey }),
  );
  return useAction(AccountService.method.renameMe, {
    onDone: (_, { name = '' }) => {
      keep(name);
      toasts.show('good', 'Name saved.', undos.push(takeBack));
    },
    onRefused: (error) => {
      const { name: about = '' } = fieldErrorsOf(error);
      onFieldError(about);
      if (!about) toasts.show('bad', messageOf(error, 'Your name could not be changed.'));
    },
  });
}

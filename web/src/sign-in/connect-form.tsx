import { Stack } from '@chakra-ui/react';
import { CircleAlert } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { messageOf } from '../http/errors';
import { CardPage } from '../layout/card-page';
import { ButtonLink } from '../layout/links';
import { isWrongPassword } from '../session/wrong-password';
import { Button } from '../ui/button';
import { PasswordField } from '../ui/field';
import { Note } from '../ui/states';

type ConnectFormProps = { connect: (password: string) => Promise<void>; backTo: string; onDone: () => void };

/** Asks for the password before a sign-in method is added. */
export function ConnectForm({ connect, backTo, onDone }: ConnectFormProps) {
  const [wrong, setWrong] = useState('');
  const [refused, setRefused] = useState('');
  const [running, setRunning] = useState(false);
  const password = useRef<HTMLInputElement>(null);

  const show = async () => {
    const typed = password.current?.value ?? '';
    setWrong(typed ? '' : 'Enter your password.');
    setRefused('');
    if (!typed) return password.current?.focus();
    setRunning(true);
    try {
      await connect(typed);
      onDone();
    } catch (error) {
      setRunning(false);
      if (isWrongPassword(error)) setWrong('That is not your password.');
      else setRefused(messageOf(error, 'Google could not be connected.'));
      password.current?.select();
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!running) void show();
  };

  return (
    <CardPage
      title="Confirm that it is you"
      lead="Enter your Frontdesk password, and Google signs you in from now on."
    >
      <form onSubmit={submit} noValidate aria-label="Connect Google">
        <Stack gap="5">
          <PasswordField
            ref={password}
            label="Your password"
            name="password"
            autoComplete="current-password"
            error={wrong}
            onChange={() => setWrong('')}
          />
          {refused && (
            <div role="alert">
              <Note tone="bad" icon={CircleAlert}>
                {refused}
              </Note>
            </div>
          )}
          <Button type="submit" variant="contained" loading={running} width="100%">
            Connect Google
          </Button>
          <ButtonLink to={backTo} replace variant="outline">
            Not now
          </ButtonLink>
        </Stack>
      </form>
    </CardPage>
  );
}

import { Stack } from '@chakra-ui/react';
import { MailCheck } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { CardPage, PageLinks } from '../layout/card-page';
import { ButtonLink, TextLink } from '../layout/links';
import { paths } from '../paths';
import { type Carried, useCarried } from '../session/carried';
import { door } from '../session/current';
import { Button } from '../ui/button';
import { Note, Refusal } from '../ui/states';
import { Muted } from '../ui/text';
import { EmailField, problemOf } from './email-field';

export function Component() {
  const { email, wanted, setEmail } = useCarried();
  const [sent, setSent] = useState<{ email: string; message: string } | null>(null);
  if (sent) return <Sent {...sent} carried={{ email: sent.email, wanted }} onAgain={() => setSent(null)} />;
  return (
    <CardPage
      title="Forgot your password?"
      lead="Tell us your e-mail address and we send you a link to choose a new one."
    >
      <AskForm email={email} onEmail={setEmail} onSent={(to, message) => setSent({ email: to, message })} />
      <PageLinks>
        <TextLink to={paths.login} state={{ email, wanted } satisfies Carried}>
          Back to sign in
        </TextLink>
      </PageLinks>
    </CardPage>
  );
}

type AskFormProps = {
  email: string;
  onEmail: (email: string) => void;
  onSent: (email: string, message: string) => void;
};

function AskForm({ email: typed, onEmail, onSent }: AskFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const [error, setError] = useState('');
  const [refused, setRefused] = useState('');
  const [running, setRunning] = useState(false);

  const ask = async () => {
    const email = field.current?.value.trim() ?? '';
    const wrong = problemOf(email);
    setError(wrong);
    setRefused('');
    if (wrong) return field.current?.focus();
    setRunning(true);
    try {
      onSent(email, await door.forgotPassword(email));
    } catch (failure) {
      setRunning(false);
      const { email: about = '' } = fieldErrorsOf(failure);
      setError(about);
      if (!about) setRefused(messageOf(failure, 'The link could not be sent.'));
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!running) void ask();
  };

  return (
    <form onSubmit={submit} noValidate aria-label="Ask for a link">
      <Stack gap="5">
        <EmailField
          ref={field}
          typed={typed}
          error={error}
          onChange={(value) => {
            onEmail(value);
            setError('');
          }}
        />
        <Refusal>{refused}</Refusal>
        <Button type="submit" variant="contained" loading={running} width="100%">
          Send the link
        </Button>
      </Stack>
    </form>
  );
}

type SentProps = { email: string; message: string; carried: Carried; onAgain: () => void };

/** The same whether the address has an account or not. */
function Sent({ email, message, carried, onAgain }: SentProps) {
  return (
    <CardPage title="Check your e-mail">
      <Stack gap="5" role="status">
        <Note tone="info" icon={MailCheck}>
          {message || `If ${email} has an account, a link to choose a new password is on its way.`}
        </Note>
        <Muted>
          The link works once, for ten minutes. Nothing there? Check the junk folder, and that you wrote{' '}
          {email} as you signed up with it.
        </Muted>
      </Stack>
      <Stack gap="3">
        <ButtonLink to={paths.login} state={carried} variant="contained">
          Go to sign in
        </ButtonLink>
        <Button onClick={onAgain}>Send it again</Button>
      </Stack>
    </CardPage>
  );
}

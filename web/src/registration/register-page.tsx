import { Stack } from '@chakra-ui/react';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { Navigate } from 'react-router';
import { CardPage, PageLinks } from '../layout/card-page';
import { ButtonLink, TextLink } from '../layout/links';
import { Waiting } from '../layout/waiting';
import { paths } from '../paths';
import { type Carried, useCarried } from '../session/carried';
import { door, session } from '../session/current';
import { landingOf } from '../session/landing';
import { useTokenOfAddress } from '../session/token-of-address';
import { useSession } from '../session/use-session';
import { Note } from '../ui/states';
import { Muted } from '../ui/text';
import { ConfirmAddress } from './confirm-address';
import { InvitationPage } from './invitation-page';
import { pendingConfirmation, pendingInvitation } from './pending';
import { RegisterForm } from './register-form';

/** Confirms an address, accepts an invitation, or registers an account. */
export function Component() {
  const confirmed = useTokenOfAddress('confirm');
  const invited = useTokenOfAddress('invitation');
  const [{ confirmation, invitation }, setWaiting] = useState(() => {
    if (invited) {
      pendingInvitation.keep(invited);
      // The link that was opened last wins.
      pendingConfirmation.drop();
    }
    if (confirmed) pendingConfirmation.keep(confirmed);
    return { confirmation: pendingConfirmation.token, invitation: pendingInvitation.token };
  });
  if (confirmation) return <ConfirmAddress token={confirmation} />;
  const setAside = () => {
    pendingInvitation.drop();
    setWaiting({ confirmation: '', invitation: '' });
  };
  if (invitation) return <InvitationPage invitation={invitation} onSetAside={setAside} />;
  return <PlainPage />;
}

type Made = { email: string; message: string };

function PlainPage() {
  const { user, loading, complete } = useSession();
  const { email, wanted, setEmail } = useCarried();
  const [made, setMade] = useState<Made | null>(null);
  if (made) return <MadePage {...made} carried={{ email: made.email, wanted }} />;
  if (user) return <Navigate to={landingOf(user)} replace />;
  if (loading && !complete && session.hadSession) return <Waiting label="Authenticating" />;
  return (
    <CardPage title="Create an account" lead="Then your salon can add you to its team.">
      <RegisterForm
        email={email}
        onEmail={setEmail}
        submit="Create account"
        onSubmit={async (account) => {
          const message = await door.register(account);
          setMade({ email: account.email, message });
        }}
      />
      <PageLinks>
        <span>
          Have an account?{' '}
          <TextLink to={paths.login} state={{ email, wanted } satisfies Carried}>
            Sign in
          </TextLink>
        </span>
      </PageLinks>
    </CardPage>
  );
}

/** The same whether the address had an account or not. */
function MadePage({ email, message, carried }: Made & { carried: Carried }) {
  return (
    <CardPage title="Check your e-mail">
      <Stack gap="5" role="status">
        <Note tone="info" icon={MailCheck}>
          {message || `We have written to ${email}.`}
        </Note>
        <Muted>
          Open the link in it within a day, and sign in, to confirm that {email} is yours. Nothing there?
          Check the junk folder.
        </Muted>
      </Stack>
      <ButtonLink to={paths.login} state={carried} variant="contained">
        Go to sign in
      </ButtonLink>
    </CardPage>
  );
}

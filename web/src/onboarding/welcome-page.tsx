import { Stack } from '@chakra-ui/react';
import { CalendarCheck, MessagesSquare, PhoneCall } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { CardPage } from '../layout/card-page';
import { ButtonLink } from '../layout/links';
import { Waiting } from '../layout/waiting';
import { paths } from '../paths';
import { session } from '../session/current';
import { useSession } from '../session/use-session';
import { Points } from './points';

/** It reads, which a visitor's page does not. */
const CalendarSetup = lazy(() =>
  import('./calendar-setup').then(({ CalendarSetup }) => ({ default: CalendarSetup })),
);

const PROMISES = [
  { icon: PhoneCall, text: 'Every call answered, day and night' },
  { icon: CalendarCheck, text: 'Booked straight into a time that is really free' },
  { icon: MessagesSquare, text: 'Each conversation here to read, as it happens' },
];

/** The way in for visitors, and the calendar setup for those who are signed in and have none. */
export function Component() {
  const { user, loading, complete } = useSession();
  if (user) {
    return (
      <Suspense fallback={<Waiting label="Loading your calendars" />}>
        <CalendarSetup user={user} />
      </Suspense>
    );
  }
  if (loading && !complete && session.hadSession) return <Waiting label="Authenticating" />;
  return (
    <CardPage title="The front desk of your salon" lead="It never leaves a customer waiting on the line.">
      <Points points={PROMISES} />
      <Stack gap="2.5">
        <ButtonLink to={paths.login} variant="contained">
          Sign in
        </ButtonLink>
        <ButtonLink to={paths.onboardingFlow()}>Connect your calendar</ButtonLink>
      </Stack>
    </CardPage>
  );
}

import { Box, Stack } from '@chakra-ui/react';
import { CalendarCheck, MessagesSquare, PhoneCall } from 'lucide-react';
import { Navigate } from 'react-router';
import { CardPage } from '../layout/card-page';
import { ButtonLink } from '../layout/links';
import { Waiting } from '../layout/waiting';
import { paths } from '../paths';
import { session } from '../session/current';
import { landingOf } from '../session/landing';
import { useSession } from '../session/use-session';
import { Text } from '../ui/text';

const PROMISES = [
  { icon: PhoneCall, text: 'Every call answered, day and night' },
  { icon: CalendarCheck, text: 'Booked straight into a time that is really free' },
  { icon: MessagesSquare, text: 'Each conversation here to read, as it happens' },
];

export function Component() {
  const { user, loading, complete } = useSession();
  if (user) return <Navigate to={landingOf(user)} replace />;
  if (loading && !complete && session.hadSession) return <Waiting label="Authenticating" />;
  return (
    <CardPage title="The front desk of your salon" lead="It never leaves a customer waiting on the line.">
      <Stack as="ul" gap="4" listStyleType="none">
        {PROMISES.map(({ icon: Icon, text }) => (
          <Stack as="li" key={text} direction="row" gap="3.5" align="center" color="brand.fg">
            <Box flexShrink="0">
              <Icon size={22} aria-hidden />
            </Box>
            <Text color="fg">{text}</Text>
          </Stack>
        ))}
      </Stack>
      <Stack gap="2.5">
        <ButtonLink to={paths.login} variant="contained">
          Sign in
        </ButtonLink>
        <ButtonLink to={paths.onboardingFlow()}>Connect your calendar</ButtonLink>
      </Stack>
    </CardPage>
  );
}

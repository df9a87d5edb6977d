import { Box, Stack } from '@chakra-ui/react';
import { CalendarOff, CalendarPlus, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { CardPage, PageLinks } from '../layout/card-page';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { LoginForm } from '../sign-in/login-form';
import { Text } from '../ui/text';
import { Steps } from './steps';

const EFFECTS = [
  { icon: CalendarPlus, text: 'Your appointments at the salon appear in your calendar.' },
  { icon: CalendarOff, text: 'When you are busy there, you can’t be booked at the salon.' },
  { icon: EyeOff, text: 'Colleagues see that you are busy, not why.' },
];

/** What connecting does, before anything is asked; signing in happens here, and the flow goes on. */
export function SignInStep() {
  const [email, setEmail] = useState('');
  const carried = { email, wanted: paths.onboardingFlow() };
  return (
    <CardPage title="Connect your calendar" lead="Sign in first: a calendar belongs to a person.">
      <Steps at={0} />
      <Stack as="ul" gap="3" listStyleType="none">
        {EFFECTS.map(({ icon: Icon, text }) => (
          <Stack as="li" key={text} direction="row" gap="3" align="center" color="brand.fg">
            <Box flexShrink="0">
              <Icon size={20} aria-hidden />
            </Box>
            <Text color="fg">{text}</Text>
          </Stack>
        ))}
      </Stack>
      <LoginForm email={email} onEmail={setEmail} />
      <PageLinks>
        <TextLink to={paths.forgotPassword} state={carried}>
          Forgot your password?
        </TextLink>
        <TextLink to={paths.register} state={carried}>
          Create an account
        </TextLink>
      </PageLinks>
    </CardPage>
  );
}

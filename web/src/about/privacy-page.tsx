import { Box, Stack } from '@chakra-ui/react';
import { CardPage } from '../layout/card-page';
import { H2, Text } from '../ui/text';

const KEPT_HERE = [
  ['Cookies', 'keep you signed in, remember a device you trust, and keep other sites from acting for you.'],
  [
    'Local storage',
    'keeps who you are for five minutes, so that pages come quickly, that you were signed in, and whether you like it light or dark.',
  ],
  [
    'Session storage',
    'keeps, until the tab is closed, a random number that helps us follow a fault, a sign-in that is under way, and a form you had not finished when your session ended. Never a password.',
  ],
] as const;

export function Component() {
  return (
    <CardPage
      title="Privacy"
      lead="What Frontdesk keeps in your browser, and what it keeps for your business."
    >
      <Stack gap="3">
        <H2>In this browser</H2>
        <Stack as="ul" gap="3" listStyleType="none">
          {KEPT_HERE.map(([where, what]) => (
            <Text as="li" key={where}>
              <Box as="strong" fontWeight="600">
                {where}
              </Box>{' '}
              {what}
            </Text>
          ))}
        </Stack>
        <Text>Nothing here is for advertising, and no other company’s scripts run on these pages.</Text>
      </Stack>
      <Stack gap="3">
        <H2>For your business</H2>
        <Text>
          Each business keeps its own customers, appointments, calls and what was said in them. People of
          other businesses never see them.
        </Text>
        <Text>
          Your account keeps your name, your e-mail and where you are signed in. Your password is kept as a
          hash.
        </Text>
      </Stack>
    </CardPage>
  );
}

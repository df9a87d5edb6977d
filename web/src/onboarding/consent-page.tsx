import { Box, Flex, Stack } from '@chakra-ui/react';
import { Check, FlaskConical } from 'lucide-react';
import { useNavigate, useSearchParams } from 'react-router';
import { CardPage } from '../layout/card-page';
import { ButtonLink } from '../layout/links';
import { paths } from '../paths';
import { runtime } from '../runtime';
import { Button } from '../ui/button';
import { Note } from '../ui/states';
import { Text } from '../ui/text';

const ASKED = ['See which calendars you have', 'See when you are busy', 'Write your appointments'];

/** Stands for the consent screen of a calendar provider; the answer comes back as a provider's would. */
export function Component() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const state = search.get('state') ?? '';
  // Production asks for no simulated consent: a made-up address must not look as if it did.
  if (!state || runtime().environment === 'production') return <NotAsked />;
  const answer = (given: Record<string, string>) =>
    void navigate(paths.onboardingCallback({ state, ...given }), { replace: true });
  return (
    <CardPage title="Frontdesk wants to use your demo calendar">
      <Note tone="info" icon={FlaskConical}>
        This is simulated: no account outside this installation is asked or touched.
      </Note>
      <Stack as="ul" gap="2.5" listStyleType="none" aria-label="What Frontdesk may do">
        {ASKED.map((text) => (
          <Flex as="li" key={text} gap="2.5" align="center">
            <Box color="brand.fg" flexShrink="0">
              <Check size={18} aria-hidden />
            </Box>
            <Text>{text}</Text>
          </Flex>
        ))}
      </Stack>
      <Flex gap="3">
        <Button flex="1" onClick={() => answer({ error: 'access_denied' })}>
          Deny
        </Button>
        <Button flex="1" variant="contained" onClick={() => answer({ code: 'simulated' })}>
          Allow
        </Button>
      </Flex>
    </CardPage>
  );
}

function NotAsked() {
  return (
    <CardPage title="Nothing was asked" lead="A consent begins where a calendar is connected.">
      <ButtonLink to={paths.onboardingFlow()} variant="contained">
        Connect a calendar
      </ButtonLink>
    </CardPage>
  );
}

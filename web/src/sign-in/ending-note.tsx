import { Box, Flex } from '@chakra-ui/react';
import { Clock } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '../paths';
import { session } from '../session/current';
import { LANGUAGE } from '../time/language';
import { Button } from '../ui/button';

const timeOfDay = new Intl.DateTimeFormat(LANGUAGE, { hour: '2-digit', minute: '2-digit' });

/** Announces the end of the session half an hour before, so that the user can finish their work. */
export default function EndingNote({ endingAt }: { endingAt: number }) {
  const [later, setLater] = useState(false);
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  if (later) return null;

  const signInAgain = async () => {
    // The session ends here even if the server is out of reach.
    await session.signInAgain().catch(() => undefined);
    navigate(paths.login, { replace: true, state: { wanted: pathname + search } });
  };

  return (
    <Flex
      as="section"
      role="status"
      aria-label="End of the session"
      align="center"
      wrap="wrap"
      gap="3"
      m="3"
      px="4"
      py="2"
      borderRadius="button"
      bg="info.subtle"
      color="info.fg"
      fontSize="0.9375rem"
    >
      <Clock size={18} aria-hidden />
      <Box flex="1 1 20rem">
        You will be signed out at {timeOfDay.format(endingAt)}. Sign in again when it suits you, and go on
        where you are.
      </Box>
      <Button onClick={() => void signInAgain()}>Sign in again</Button>
      <Button variant="quiet" onClick={() => setLater(true)}>
        Later
      </Button>
    </Flex>
  );
}

import { Box, Flex, Stack } from '@chakra-ui/react';
import { Lock } from 'lucide-react';
import { Surface } from '../ui/card';
import { H1, Muted, Text } from '../ui/text';
import { TextLink } from './links';
import { useStart } from './use-start';

/** Shown to a signed-in user whose role is too low for the page. */
export default function RestrictedNotice({ signedIn }: { signedIn: boolean }) {
  const start = useStart();
  return (
    <Flex justify="center" px="4" py="16">
      <title>Access Restricted · Frontdesk</title>
      <Surface maxWidth="30rem" width="100%" p={{ base: '6', sm: '8' }} textAlign="center" role="alert">
        <Stack gap="3" align="center">
          <Box p="3" borderRadius="full" bg="warn.subtle" color="warn.fg">
            <Lock size={24} aria-hidden />
          </Box>
          <H1>Access Restricted</H1>
          <Text>You don't have permission to access this page.</Text>
          {signedIn && (
            <>
              <Muted>Please contact your administrator if you believe this is an error.</Muted>
              <TextLink to={start}>Back to where you work</TextLink>
            </>
          )}
        </Stack>
      </Surface>
    </Flex>
  );
}

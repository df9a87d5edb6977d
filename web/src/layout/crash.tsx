import { Flex, Stack } from '@chakra-ui/react';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { Button } from '../ui/button';
import { Logo } from '../ui/logo';
import { H1, Text } from '../ui/text';

/** Shown when a page throws. The text is the specification's. */
export function PageCrash() {
  const error = useRouteError();
  useEffect(() => reportError(error), [error]);
  return (
    <Stack gap="4" align="center" textAlign="center" px="4" py="16" role="alert">
      <title>Something went wrong · Frontdesk</title>
      <H1>Something went wrong.</H1>
      <Text color="fg.muted">We're working to fix the issue. Please try again later.</Text>
      <Button onClick={() => window.location.reload()}>Load this page again</Button>
    </Stack>
  );
}

/** The same where no frame stands around the page. */
export function Crash() {
  return (
    <Flex as="main" direction="column" align="center" minHeight="100dvh" pt="12">
      <Logo />
      <PageCrash />
    </Flex>
  );
}

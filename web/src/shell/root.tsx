import { Box, Flex, Stack } from '@chakra-ui/react';
import { lazy, Suspense, useEffect } from 'react';
import { Outlet, ScrollRestoration, useNavigation, useRouteError } from 'react-router';
import { pageStands } from '../api/warm';
import { DevPanels } from '../dev-panels/dev-panels';
import { useSession } from '../session/use-session';
import { Button } from '../ui/button';
import { Logo } from '../ui/logo';
import { ProgressLine } from '../ui/progress-line';
import { H1, Text } from '../ui/text';
import { Toasters } from '../ui/toaster';
import { DeviceQuestion } from './device-question';
import { PageSkeleton, skeletonFor } from './skeletons';

/** Rarely shown, so it is loaded on demand. */
const EndingNote = lazy(() => import('../session/ending-note'));

/** What every page shares. */
export function Root() {
  const navigation = useNavigation();
  const { endingAt } = useSession();
  useEffect(pageStands, []);
  return (
    <>
      <ProgressLine active={navigation.state !== 'idle'} />
      {endingAt !== null && (
        <Suspense>
          <EndingNote endingAt={endingAt} />
        </Suspense>
      )}
      <Outlet />
      <Toasters />
      <DeviceQuestion />
      <DevPanels />
      <ScrollRestoration />
    </>
  );
}

/** Before the first page there is none to keep: its placeholder comes as soon as it is not there by itself. */
export function FirstLoad() {
  const kind = skeletonFor(window.location.pathname);
  return (
    <>
      <ProgressLine active />
      {kind === 'login' ? (
        <Box maxWidth="27rem" mx="auto" px="4" py="16">
          <PageSkeleton kind={kind} />
        </Box>
      ) : (
        <Flex minHeight="100dvh">
          <Box hideBelow="md" width="264px" bg="bg.bar" borderRight="1px solid" borderColor="line" />
          <Box flex="1">
            <Box minHeight="60px" bg="bg.bar" borderBottom="1px solid" borderColor="line" />
            <Box maxWidth="1280px" mx="auto" px={{ base: '4', md: '8' }} pt={{ base: '5', md: '8' }}>
              <PageSkeleton kind={kind} />
            </Box>
          </Box>
        </Flex>
      )}
    </>
  );
}

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

import { Flex } from '@chakra-ui/react';
import { lazy, Suspense } from 'react';
import { Logo } from '../ui/logo';

/** Seldom seen, so no page waits for it. */
const NothingHere = lazy(() => import('./nothing-here'));

/** Nothing is here for this person; whether it exists at all is not told. */
export function NotFound() {
  return (
    <Suspense>
      <NothingHere />
    </Suspense>
  );
}

/** The same outside the workplace. */
export function NotFoundPage() {
  return (
    <Flex as="main" direction="column" align="center" minHeight="100dvh" pt="12">
      <Logo />
      <NotFound />
    </Flex>
  );
}

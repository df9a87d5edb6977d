import { Flex } from '@chakra-ui/react';
import { lazy, Suspense } from 'react';
import { Logo } from '../ui/logo';

/** Rarely shown, so it is loaded on demand. */
const NothingHere = lazy(() => import('./nothing-here'));

/** Shown for an unknown address, and for a record without access: the two look the same on purpose. */
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

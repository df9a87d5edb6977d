import { ChakraProvider } from '@chakra-ui/react';
import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import type { ReactNode } from 'react';
import { system } from './theme';

/** Styles carry the nonce of the answer: without it the policy leaves the page unstyled. */
export function UiProvider({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <CacheProvider value={cacheFor(nonce)}>
      <ChakraProvider value={system}>{children}</ChakraProvider>
    </CacheProvider>
  );
}

const caches = new Map<string | undefined, ReturnType<typeof createCache>>();

function cacheFor(nonce: string | undefined) {
  let cache = caches.get(nonce);
  if (!cache) {
    cache = createCache({ key: 'css', ...(nonce ? { nonce } : {}) });
    caches.set(nonce, cache);
  }
  return cache;
}

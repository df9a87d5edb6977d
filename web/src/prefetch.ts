import { prefetchRenewal } from './session/renewal-prefetch';

/** Patterns of addresses that visits start at, and the files that their pages need besides the common ones. */
declare const FIRST_PAGES: readonly (readonly [address: string, files: readonly string[]])[];

// This file is inlined into the document: it runs while all other code is still loading.
for (const [address, files] of FIRST_PAGES) {
  if (!new RegExp(address).test(location.pathname)) continue;
  for (const file of files) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href: `/${file}` });
    document.head.append(link);
  }
}
prefetchRenewal();

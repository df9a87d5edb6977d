import { renewAhead } from './session/renewal-ahead';

/** Patterns of addresses that are come to first, and the files their pages need beyond what every page does. */
declare const FIRST_PAGES: readonly (readonly [address: string, files: readonly string[]])[];

// This file becomes a part of the document: it runs while all other code is still under way.
for (const [address, files] of FIRST_PAGES) {
  if (!new RegExp(address).test(location.pathname)) continue;
  for (const file of files) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href: `/${file}` });
    document.head.append(link);
  }
}
renewAhead();

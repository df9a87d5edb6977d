/** A page's address as the router writes it, with names for what varies: `/:businessId/schedule`. */
export function pageTemplate(matches: readonly { route: { path?: string | undefined } }[]): string {
  const parts = matches.map(({ route }) => route.path ?? '');
  const path = parts.reduce((above, part) => (part.startsWith('/') ? part : `${above}/${part}`), '');
  return `/${path.split('/').filter(Boolean).join('/')}`;
}

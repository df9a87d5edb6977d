import type { DataTag, InfiniteData, QueryClient } from '@tanstack/react-query';
import type { RpcKey } from './query';

/**
 * Changes the records shown of a list, page by page, before it is read again: puts one, as it is
 * now, in the place of the one shown, or takes one off.
 */
export function changePages<Page extends object, Field extends keyof Page>(
  queries: QueryClient,
  { queryKey }: { queryKey: DataTag<RpcKey, InfiniteData<Page>, Error> },
  field: Field,
  change: (records: Page[Field]) => Page[Field],
): void {
  // What is being read was true before the change.
  void queries.cancelQueries({ queryKey });
  queries.setQueryData<InfiniteData<Page>>(
    queryKey as RpcKey,
    (before) =>
      before && {
        ...before,
        pages: before.pages.map((page) => ({ ...page, [field]: change(page[field]) })),
      },
  );
}

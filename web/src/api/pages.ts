import type { DataTag, InfiniteData, QueryClient } from '@tanstack/react-query';
import type { RpcKey } from './query';

/**
 * Changes the cached pages of a list before it is read again: replaces a record by its new version, or
 * removes it.
 */
export function changePages<Page extends object, Field extends keyof Page>(
  queries: QueryClient,
  { queryKey }: { queryKey: DataTag<RpcKey, InfiniteData<Page>, Error> },
  field: Field,
  change: (records: Page[Field]) => Page[Field],
): void {
  // A read under way may answer with the state before the change.
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

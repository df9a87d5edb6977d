import { useSearch } from '../finding/use-search';
import { useSearchText } from '../finding/use-search-text';
import type { ItemFilter } from './queries';

/** What an address says about which items are listed. */
export function filterOf(search: URLSearchParams): ItemFilter {
  return {
    query: search.get('q') ?? '',
    category: search.get('category') ?? '',
    supplierId: search.get('supplier') ?? '',
    low: search.has('low'),
    archived: search.has('archived'),
  };
}

/** The same as an address says it. */
function searchOf({ query, category, supplierId, low, archived }: ItemFilter): URLSearchParams {
  return new URLSearchParams({
    ...(query && { q: query }),
    ...(category && { category }),
    ...(supplierId && { supplier: supplierId }),
    ...(low && { low: '' }),
    ...(archived && { archived: '' }),
  });
}

/** Which items are listed: the address keeps it, so that "Back" returns to the list it left. */
export function useItemFilter() {
  const [search, changeSearch] = useSearch();
  const { text, setText } = useSearchText();
  const change = (changed: Partial<ItemFilter>) =>
    changeSearch((before) => searchOf({ ...filterOf(before), ...changed }), {
      replace: true,
      preventScrollReset: true,
    });
  return { filter: filterOf(search), text, setText, change };
}

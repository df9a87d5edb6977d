import { useSearchParams } from 'react-router';
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

/** Which items are listed: the address keeps it, so that "Back" returns to the list it left. */
export function useItemFilter() {
  const [search, setSearch] = useSearchParams();
  const { text, setText } = useSearchText();
  const filter = filterOf(search);
  const change = (changed: Partial<ItemFilter>) => {
    const { query, category, supplierId, low, archived } = { ...filter, ...changed };
    setSearch(
      {
        ...(query && { q: query }),
        ...(category && { category }),
        ...(supplierId && { supplier: supplierId }),
        ...(low && { low: '' }),
        ...(archived && { archived: '' }),
      },
      { replace: true, preventScrollReset: true },
    );
  };
  return { filter, text, setText, change };
}

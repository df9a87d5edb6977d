import { useSearch } from '../finding/use-search';
import { isId } from '../paths';

/** Which import a page shows: the address keeps it, so that it is found again after a reload. */
export function useImportAddress() {
  const [search, changeSearch] = useSearch();
  const wanted = search.get('import') ?? '';
  const importId = isId(wanted) ? wanted : '';
  const show = (id: string) =>
    changeSearch(
      (search) => {
        if (id) search.set('import', id);
        else search.delete('import');
        return search;
      },
      { preventScrollReset: true },
    );
  return { importId, show };
}

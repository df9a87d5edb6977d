import { useSearchParams } from 'react-router';
import { isId } from '../paths';

/** Which import a page shows: the address keeps it, so that it is found again after a reload. */
export function useImportAddress() {
  const [search, setSearch] = useSearchParams();
  const wanted = search.get('import') ?? '';
  const importId = isId(wanted) ? wanted : '';
  const show = (id: string) => {
    const changed = new URLSearchParams(search);
    if (id) changed.set('import', id);
    else changed.delete('import');
    setSearch(changed, { preventScrollReset: true });
  };
  return { importId, show };
}

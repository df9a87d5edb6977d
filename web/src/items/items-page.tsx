import { Flex, Grid } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ClipboardCheck, Download, PackageOpen, PackagePlus, SearchX, Truck, Upload } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type LoaderFunctionArgs, useNavigate, useParams, useSearchParams } from 'react-router';
import { may } from '../api/access';
import { fetchedAhead } from '../api/fetched-ahead';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { useBusinessRole } from '../business/queries';
import { ImportAccess, ItemAccess, StockAccess, SupplierAccess } from '../gen/access';
import type { Item } from '../gen/frontdesk/tenancy/v1/item_pb';
import { isForbidden, messageOf } from '../http/errors';
import { AccessRestricted } from '../layout/access-restricted';
import { ButtonLink } from '../layout/links';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Surface } from '../ui/card';
import { CheckField } from '../ui/check-field';
import { TextField } from '../ui/field';
import { LongList } from '../ui/long-list';
import { SelectField } from '../ui/select-field';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted } from '../ui/text';
import { toasts } from '../ui/toasts';
import { saveItems } from './export-items';
import { ItemRow } from './item-row';
import { categoriesQuery, type ItemFilter, itemPages, suppliersQuery } from './queries';
import { filterOf, useItemFilter } from './use-item-filter';

const ItemDialog = fetchedAhead(() => import('./item-dialog').then(({ ItemDialog }) => ItemDialog));
const SuppliersDialog = fetchedAhead(() =>
  import('./suppliers-dialog').then(({ SuppliersDialog }) => SuppliersDialog),
);
const StockTakeDialog = fetchedAhead(() =>
  import('./stock-take-dialog').then(({ StockTakeDialog }) => StockTakeDialog),
);

const ROW_HEIGHT = 72;
const LONGEST_QUERY = 100;

export function loader({ params: { businessId = '' }, request }: LoaderFunctionArgs) {
  const filter = filterOf(new URL(request.url).searchParams);
  return warm(() => [queries.prefetchInfiniteQuery(itemPages(businessId, filter))]);
}

/** Products and materials of a salon, and what is there of them. */
export function Component() {
  const { businessId = '' } = useParams();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const here = useBusinessRole(businessId);
  const { filter, text, setText, change } = useItemFilter();
  const [open, setOpen] = useState<'new' | 'suppliers' | 'count' | null>(null);
  const query = useInfiniteQuery({ ...itemPages(businessId, filter), placeholderData: keepPreviousData });
  if (isForbidden(query.error)) return <AccessRestricted signedIn />;
  const role = here.kind === 'member' ? here.role : '';
  const mayAdd = may(ItemAccess.createItem, role);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  /** Before there is an item there is nothing to count, take away or search. */
  const none = query.isSuccess && !query.isPlaceholderData && items.length === 0 && search.size === 0;
  const add = mayAdd && (
    <Button variant="tinted" onClick={() => setOpen('new')}>
      <PackagePlus size={20} aria-hidden />
      New item
    </Button>
  );
  return (
    <Page
      title="Items"
      lead="What you sell and use, and how much of it is in stock."
      action={
        mayAdd && (
          <Button variant="contained" onClick={() => setOpen('new')}>
            <PackagePlus size={20} aria-hidden />
            New item
          </Button>
        )
      }
    >
      <Flex gap="2" wrap="wrap" _empty={{ display: 'none' }}>
        {may(StockAccess.recordStockTake, role) && !none && (
          <Button onClick={() => setOpen('count')} disabled={items.length === 0}>
            <ClipboardCheck size={18} aria-hidden />
            Count stock
          </Button>
        )}
        {may(SupplierAccess.createSupplier, role) && (
          <Button onClick={() => setOpen('suppliers')}>
            <Truck size={18} aria-hidden />
            Suppliers
          </Button>
        )}
        {may(ImportAccess.createImport, role) && (
          <ButtonLink to={paths.itemImport(businessId)}>
            <Upload size={18} aria-hidden />
            Import
          </ButtonLink>
        )}
        {may(ItemAccess.exportItems, role) && !none && (
          <ExportButton businessId={businessId} disabled={items.length === 0 && search.size === 0} />
        )}
      </Flex>
      <Filters
        businessId={businessId}
        filter={filter}
        text={text}
        setText={setText}
        change={change}
        none={none}
      />
      <Surface overflow="hidden">
        <Reading
          query={query}
          what="The items"
          missingIsPage
          skeleton={<RowsSkeleton rows={8} label="Loading items" />}
        >
          {() => (
            <Found
              businessId={businessId}
              items={items}
              more={query.hasNextPage}
              filtered={search.size > 0}
              add={add}
            />
          )}
        </Reading>
      </Surface>
      {query.hasNextPage && !query.isPlaceholderData && (
        <Button
          alignSelf="center"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show more items
        </Button>
      )}
      {open === 'new' && (
        <ItemDialog
          businessId={businessId}
          onSaved={({ id }) => void navigate(paths.item(businessId, id))}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'suppliers' && <SuppliersDialog businessId={businessId} onClose={() => setOpen(null)} />}
      {open === 'count' && (
        <StockTakeDialog
          businessId={businessId}
          items={items}
          more={query.hasNextPage}
          onClose={() => setOpen(null)}
        />
      )}
    </Page>
  );
}

type FiltersProps = {
  businessId: string;
  filter: ItemFilter;
  text: string;
  setText: (text: string) => void;
  change: (change: Partial<ItemFilter>) => void;
  /** Nothing is listed, whatever is searched for: archived items may be there all the same. */
  none: boolean;
};

function Filters({ businessId, filter, text, setText, change, none }: FiltersProps) {
  const categories = useQuery(categoriesQuery(businessId)).data?.categories ?? [];
  const suppliers = useQuery(suppliersQuery(businessId)).data?.suppliers ?? [];
  if (none && text === '') return <States filter={filter} change={change} />;
  return (
    // On a phone the two selects share a row: the first items are seen without scrolling.
    <Grid
      gap="3"
      gridTemplateColumns={{ base: 'repeat(2, minmax(0, 1fr))', md: '2fr 1fr 1fr' }}
      alignItems="end"
      css={{ '& > :is(:first-of-type, :last-of-type)': { gridColumn: { base: '1 / -1', md: 'auto' } } }}
    >
      <TextField
        label="Search items"
        type="search"
        placeholder="Name, SKU or barcode"
        autoComplete="off"
        maxLength={LONGEST_QUERY}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <SelectField
        label="Category"
        value={filter.category}
        onChange={(event) => change({ category: event.currentTarget.value })}
      >
        <option value="">All categories</option>
        {categories.map((category) => (
          <option key={category} value={category}>
            {category}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Supplier"
        value={filter.supplierId}
        onChange={(event) => change({ supplierId: event.currentTarget.value })}
      >
        <option value="">All suppliers</option>
        {suppliers.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <States filter={filter} change={change} />
    </Grid>
  );
}

function States({ filter, change }: Pick<FiltersProps, 'filter' | 'change'>) {
  return (
    <Flex gap="5" wrap="wrap">
      <CheckField
        label="Low on stock"
        checked={filter.low}
        disabled={filter.archived}
        onChange={(event) => change({ low: event.currentTarget.checked })}
      />
      <CheckField
        label="Archived"
        checked={filter.archived}
        disabled={filter.low}
        onChange={(event) => change({ archived: event.currentTarget.checked })}
      />
    </Flex>
  );
}

type FoundProps = { businessId: string; items: Item[]; more: boolean; filtered: boolean; add: ReactNode };

function Found({ businessId, items, more, filtered, add }: FoundProps) {
  if (items.length === 0)
    return filtered ? (
      <Empty icon={SearchX} title="No item matches">
        Check the spelling, or take a filter away.
      </Empty>
    ) : (
      <Empty icon={PackageOpen} title="No items yet" action={add}>
        Add what you sell and what you use up, or import a table of it.
      </Empty>
    );
  const counted = items.length === 1 ? '1 item' : `${items.length} items`;
  return (
    <>
      <Flex px={{ base: '4', sm: '6' }} pt="4" pb="2">
        <Muted role="status">{more ? `The first ${counted}, by name` : `${counted}, by name`}</Muted>
      </Flex>
      <LongList items={items} keyOf={({ id }) => id} rowHeight={ROW_HEIGHT}>
        {(item) => <ItemRow businessId={businessId} item={item} />}
      </LongList>
    </>
  );
}

type ExportButtonProps = { businessId: string; disabled: boolean };

/** Exports all items, whatever the list shows; disabled while there are none. */
function ExportButton({ businessId, disabled }: ExportButtonProps) {
  const [running, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    try {
      await saveItems(businessId);
    } catch (error) {
      toasts.show('bad', messageOf(error, 'The items could not be exported.'));
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button loading={running} disabled={disabled} onClick={() => void run()}>
      <Download size={18} aria-hidden />
      Export
    </Button>
  );
}

import { Flex } from '@chakra-ui/react';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Archive, ArchiveRestore, History, Pencil } from 'lucide-react';
import { useState } from 'react';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import { may } from '../api/access';
import { intend, useAction } from '../api/action';
import { fetchedAhead } from '../api/fetched-ahead';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { useBusinessRole } from '../business/queries';
import { useZone } from '../business/use-zone';
import { AuditAccess, ItemAccess, StockAccess } from '../gen/access';
import { type Item, ItemService } from '../gen/frontdesk/tenancy/v1/item_pb';
import { messageOf } from '../http/errors';
import { ButtonLink } from '../layout/links';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Fact, Facts } from '../ui/facts';
import { LongList } from '../ui/long-list';
import { moneyText } from '../ui/money';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';
import { onHandText, taxText } from './item-text';
import type { Move } from './move-dialog';
import { MovementRow } from './movement-row';
import { itemQuery, movementPages } from './queries';
import { readItemsAgain } from './read-items-again';
import { undoItem } from './undo-item';

const ItemDialog = fetchedAhead(() => import('./item-dialog').then(({ ItemDialog }) => ItemDialog));
const MoveDialog = fetchedAhead(() => import('./move-dialog').then(({ MoveDialog }) => MoveDialog));

const ROW_HEIGHT = 76;

export function loader({ params: { businessId = '', itemId = '' } }: LoaderFunctionArgs) {
  return warm(() => [
    queries.prefetchQuery(itemQuery(businessId, itemId)),
    queries.prefetchInfiniteQuery(movementPages(businessId, itemId)),
  ]);
}

/** One item: what it is, how much of it is there, and why. */
export function Component() {
  const { businessId = '', itemId = '' } = useParams();
  const query = useQuery(itemQuery(businessId, itemId));
  return (
    <Reading
      query={query}
      what="The item"
      framed
      page
      missingIsPage
      skeleton={<RowsSkeleton rows={6} label="Loading the item" />}
    >
      {({ item }) => item && <Shown businessId={businessId} item={item} />}
    </Reading>
  );
}

function Shown({ businessId, item }: { businessId: string; item: Item }) {
  const here = useBusinessRole(businessId);
  const role = here.kind === 'member' ? here.role : '';
  const [open, setOpen] = useState<Move | 'edit' | null>(null);
  const { details, low, archived } = item;
  const close = () => setOpen(null);
  return (
    <Page
      title={details?.name ?? 'Item'}
      action={
        may(ItemAccess.updateItem, role) && (
          <Changes
            businessId={businessId}
            item={item}
            mayAudit={may(AuditAccess.listAuditEntries, role)}
            onEdit={() => setOpen('edit')}
          />
        )
      }
    >
      <Card
        title="In stock"
        action={archived ? <Badge>Archived</Badge> : low ? <Badge tone="warn">Low</Badge> : undefined}
      >
        <Flex gap="4" direction="column">
          <ItemFacts item={item} />
          <Moves role={role} isForSale={details?.priceMinor !== undefined} onMove={setOpen} />
        </Flex>
      </Card>
      <Movements businessId={businessId} item={item} />
      {open === 'edit' && <ItemDialog businessId={businessId} item={item} onClose={close} />}
      {open && open !== 'edit' && (
        <MoveDialog businessId={businessId} item={item} move={open} onClose={close} />
      )}
    </Page>
  );
}

function ItemFacts({ item }: { item: Item }) {
  const { details, currency, supplierName } = item;
  if (!details) return null;
  const { category, sku, barcode, priceMinor, costMinor, taxBasisPoints, lowStockAt } = details;
  return (
    <Facts>
      <Fact name="On hand">{onHandText(item)}</Fact>
      <Fact name="Low at">{lowStockAt === undefined ? 'Not watched' : String(lowStockAt)}</Fact>
      <Fact name="Price">
        {priceMinor === undefined
          ? 'Not for sale'
          : `${moneyText(priceMinor, currency)}, tax ${taxText(taxBasisPoints)}`}
      </Fact>
      <Fact name="Cost">{costMinor === undefined ? 'Not known' : moneyText(costMinor, currency)}</Fact>
      <Fact name="Category">{category || 'None'}</Fact>
      <Fact name="Supplier">{supplierName || 'None'}</Fact>
      <Fact name="SKU">{sku || 'None'}</Fact>
      <Fact name="Barcode">{barcode || 'None'}</Fact>
    </Facts>
  );
}

type MovesProps = { role: string; isForSale: boolean; onMove: (move: Move) => void };

function Moves({ role, isForSale, onMove }: MovesProps) {
  const takes = may(StockAccess.takeFromStock, role);
  return (
    <Flex gap="2" wrap="wrap">
      {takes && isForSale && <Button onClick={() => onMove('sell')}>Record a sale</Button>}
      {takes && <Button onClick={() => onMove('use')}>Record use</Button>}
      {may(StockAccess.receiveStock, role) && (
        <Button onClick={() => onMove('receive')}>Record a delivery</Button>
      )}
      {may(StockAccess.wasteStock, role) && <Button onClick={() => onMove('waste')}>Record waste</Button>}
    </Flex>
  );
}

type ChangesProps = { businessId: string; item: Item; mayAudit: boolean; onEdit: () => void };

function Changes({ businessId, item, mayAudit, onEdit }: ChangesProps) {
  const queries = useQueryClient();
  const name = item.details?.name;
  const request = { businessId, itemId: item.id };
  const { archiveItem, restoreItem } = ItemService.method;
  const readAgain = () => readItemsAgain(queries);
  const onRefused = (error: unknown) => {
    readAgain();
    toasts.show('bad', messageOf(error, 'The item could not be changed.'));
  };
  const restoring = useAction(restoreItem, {
    onDone: ({ item: left }) => {
      readAgain();
      const back = (version: bigint) => intend(archiveItem, { ...request, version });
      const done = `${name} is archived again.`;
      toasts.show(
        'good',
        `${name} is on the list again.`,
        left && undos.push(undoItem({ left, back, done, readAgain })),
      );
    },
    onRefused,
  });
  const archiving = useAction(archiveItem, {
    onDone: ({ item: left }) => {
      readAgain();
      const back = (version: bigint) => intend(restoreItem, { ...request, version });
      const done = `${name} is on the list again.`;
      toasts.show('good', `Archived ${name}.`, left && undos.push(undoItem({ left, back, done, readAgain })));
    },
    onRefused,
  });
  // A colleague may just have done the same: then nothing is changed here, and there is nothing to undo.
  const checking = useMutation({
    mutationFn: (_archived: boolean) =>
      queries.fetchQuery({ ...itemQuery(businessId, item.id), staleTime: 0 }),
    onSuccess: ({ item: now }, archived) => {
      if (now?.archived !== archived)
        (archived ? archiving : restoring).act({ ...request, version: now?.version ?? 0n });
      else toasts.show('info', `${name} is ${archived ? 'archived' : 'on the list'} already.`);
    },
    onError: onRefused,
  });
  const running = checking.isPending || archiving.running || restoring.running;
  return (
    <Flex gap="2" wrap="wrap">
      {mayAudit && <ButtonLink to={paths.audit(businessId, item.id)}>Changes</ButtonLink>}
      <Button onClick={onEdit}>
        <Pencil size={18} aria-hidden />
        Edit item
      </Button>
      {item.archived ? (
        <Button loading={running} onClick={() => checking.mutate(false)}>
          <ArchiveRestore size={18} aria-hidden />
          Put back on the list
        </Button>
      ) : (
        <Button loading={running} onClick={() => checking.mutate(true)}>
          <Archive size={18} aria-hidden />
          Archive
        </Button>
      )}
    </Flex>
  );
}

function Movements({ businessId, item }: { businessId: string; item: Item }) {
  const zone = useZone(businessId);
  const query = useInfiniteQuery(movementPages(businessId, item.id));
  return (
    <Card title="Movements" flush>
      <Reading query={query} what="The movements" skeleton={<RowsSkeleton label="Loading movements" />}>
        {({ pages }) => {
          const movements = pages.flatMap((page) => page.movements);
          return movements.length === 0 ? (
            <Empty icon={History} title="Nothing moved yet">
              Deliveries, sales, use and counts appear here, and add up to the stock.
            </Empty>
          ) : (
            <LongList items={movements} keyOf={({ id }) => id} rowHeight={ROW_HEIGHT}>
              {(movement) => (
                <MovementRow
                  businessId={businessId}
                  movement={movement}
                  currency={item.currency}
                  zone={zone}
                />
              )}
            </LongList>
          );
        }}
      </Reading>
      {query.hasNextPage && (
        <Flex justify="center" py="3">
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more movements
          </Button>
        </Flex>
      )}
    </Card>
  );
}

import type { QueryClient } from '@tanstack/react-query';
import { ItemService } from '../gen/frontdesk/tenancy/v1/item_pb';
import { StockService } from '../gen/frontdesk/tenancy/v1/stock_pb';
import { SupplierService } from '../gen/frontdesk/tenancy/v1/supplier_pb';

const SERVICES = [ItemService, StockService, SupplierService].map(({ typeName }) => `${typeName}/`);

/** Reads items, their movements and suppliers again after a change. */
export function readItemsAgain(queries: QueryClient): void {
  void queries.invalidateQueries({
    predicate: ({ queryKey }) => SERVICES.some((service) => String(queryKey[0]).startsWith(service)),
  });
}

import { rpcPages, rpcQuery } from '../api/query';
import { ItemService } from '../gen/frontdesk/tenancy/v1/item_pb';
import { StockService } from '../gen/frontdesk/tenancy/v1/stock_pb';
import { SupplierService } from '../gen/frontdesk/tenancy/v1/supplier_pb';

const PAGE = 50;
const MOST = 200;

/** Which items are listed. */
export type ItemFilter = {
  query: string;
  category: string;
  supplierId: string;
  low: boolean;
  archived: boolean;
};

/** Items by name. */
export const itemPages = (businessId: string, filter: ItemFilter) =>
  rpcPages(ItemService.method.listItems, {
    businessId,
    ...filter,
    pageSize: PAGE,
  });

export const itemQuery = (businessId: string, itemId: string) =>
  rpcQuery(ItemService.method.getItem, { businessId, itemId });

export const categoriesQuery = (businessId: string) =>
  rpcQuery(ItemService.method.listItemCategories, { businessId });

/** An item's movements, the latest first. */
export const movementPages = (businessId: string, itemId: string) =>
  rpcPages(StockService.method.listStockMovements, { businessId, itemId, pageSize: PAGE });

export const suppliersQuery = (businessId: string) =>
  rpcQuery(SupplierService.method.listSuppliers, { businessId, pageSize: MOST });

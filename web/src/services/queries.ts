import type { QueryClient } from '@tanstack/react-query';
import { changePages } from '../api/pages';
import { rpcPages } from '../api/query';
import { CatalogueService, type Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';

export const servicePages = (businessId: string) =>
  rpcPages(CatalogueService.method.listServices, { businessId, pageSize: 100 });

/** Puts a service, as it is now, in the place of the one shown. */
export function showService(queries: QueryClient, businessId: string, changed: Service): void {
  changePages(queries, servicePages(businessId), 'services', (shown) =>
    shown.map((service) => (service.id === changed.id ? changed : service)),
  );
}

/** Takes a service off the list shown, before the list is read again. */
export function hideService(queries: QueryClient, businessId: string, id: string): void {
  changePages(queries, servicePages(businessId), 'services', (shown) =>
    shown.filter((service) => service.id !== id),
  );
}

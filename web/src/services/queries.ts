import { rpcPages } from '../api/query';
import { CatalogueService } from '../gen/frontdesk/scheduling/v1/catalogue_pb';

export const servicePages = (businessId: string) =>
  rpcPages(CatalogueService.method.listServices, { businessId, pageSize: 100 });

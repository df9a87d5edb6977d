import { rpcQuery } from '../../api/query';
import { ResourceService } from '../../gen/frontdesk/scheduling/v1/resource_pb';

export const resourcesQuery = (businessId: string) =>
  rpcQuery(ResourceService.method.listResources, { businessId });

import { rpcQuery } from '../api/query';
import { DependencyService } from '../gen/frontdesk/scheduling/v1/dependency_pb';

export const dependenciesQuery = (businessId: string) =>
  rpcQuery(DependencyService.method.listDependencies, { businessId });

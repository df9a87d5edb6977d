import { rpcPages, rpcQuery } from '../api/query';
import { PairingService } from '../gen/frontdesk/scheduling/v1/pairing_pb';

export const pairingPages = (businessId: string, serviceId: string) =>
  rpcPages(PairingService.method.listPairings, { businessId, serviceId, pageSize: 100 });

export const measuredQuery = (businessId: string, serviceId: string) =>
  rpcQuery(PairingService.method.listMeasuredPairings, { businessId, serviceId, most: 100 });

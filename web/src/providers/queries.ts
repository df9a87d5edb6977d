import { rpcQuery } from '../api/query';
import {
  ProviderConnectionService,
  type ProviderRun,
  ProviderRunState,
} from '../gen/frontdesk/calendarsync/v1/provider_pb';

/** While a run is under way its progress is polled. */
const PROGRESS_MS = 1_000;

export const connectionsQuery = (businessId: string) =>
  rpcQuery(ProviderConnectionService.method.listProviderConnections, { businessId });

export const runsQuery = (businessId: string, connectionId: string) =>
  rpcQuery(ProviderConnectionService.method.listProviderRuns, { businessId, connectionId });

/** How soon to ask again: at once while a run is under way, of this page or of another. */
export const progressInterval = (runs: readonly ProviderRun[] | undefined, began: boolean) =>
  began || runs?.some(({ state }) => state === ProviderRunState.RUNNING) ? PROGRESS_MS : false;

export const recordsQuery = (businessId: string, connectionId: string) =>
  rpcQuery(ProviderConnectionService.method.listProviderRecords, { businessId, connectionId });

export const availabilityQuery = (businessId: string, connectionId: string, date: string) =>
  rpcQuery(ProviderConnectionService.method.compareProviderAvailability, { businessId, connectionId, date });

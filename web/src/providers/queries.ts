import { rpcQuery } from '../api/query';
import {
  type CompareProviderAvailabilityResponse,
  type ListProviderConnectionsResponse,
  type ListProviderRecordsResponse,
  ProviderConnectionService,
  type ProviderRun,
  ProviderRunState,
} from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { awayInterval } from './availability';

/** While a run is under way its progress is polled. */
const PROGRESS_MS = 1_000;

type Compared = Pick<CompareProviderAvailabilityResponse, 'employees'>;
type Connections = Pick<ListProviderConnectionsResponse, 'connections'>;

/** While appointments are cancelled in a system that is disconnected, how far that is is polled. */
const endingInterval = ({ state }: { state: { data?: Connections | undefined } }) =>
  state.data?.connections.some(({ cleanup }) => cleanup !== undefined) ? PROGRESS_MS : false;

export const connectionsQuery = (businessId: string) => ({
  ...rpcQuery(ProviderConnectionService.method.listProviderConnections, { businessId }),
  refetchInterval: endingInterval,
});

export const runsQuery = (businessId: string, connectionId: string) =>
  rpcQuery(ProviderConnectionService.method.listProviderRuns, { businessId, connectionId });

/** How soon to ask again: at once while a run is under way, of this page or of another. */
export const progressInterval = (runs: readonly ProviderRun[] | undefined, began: boolean) =>
  began || runs?.some(({ state }) => state === ProviderRunState.RUNNING) ? PROGRESS_MS : false;

type Records = Pick<ListProviderRecordsResponse, 'records'>;

/** While appointments of an employee there are cancelled, how far that is is polled. */
const lettingGoInterval = ({ state }: { state: { data?: Records | undefined } }) =>
  state.data?.records.some(({ cleanup }) => cleanup !== undefined) ? PROGRESS_MS : false;

export const recordsQuery = (businessId: string, connectionId: string) => ({
  ...rpcQuery(ProviderConnectionService.method.listProviderRecords, { businessId, connectionId }),
  refetchInterval: lettingGoInterval,
});

export const availabilityQuery = (businessId: string, connectionId: string, date: string) => ({
  ...rpcQuery(ProviderConnectionService.method.compareProviderAvailability, {
    businessId,
    connectionId,
    date,
  }),
  refetchInterval: ({ state }: { state: { data?: Compared | undefined } }) =>
    awayInterval(state.data?.employees),
});

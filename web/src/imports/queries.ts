import { rpcPages, rpcQuery } from '../api/query';
import {
  type ImportKind,
  type ImportLineState,
  ImportService,
  ImportState,
} from '../gen/frontdesk/tenancy/v1/import_pb';

const POLL_MS = 1000;
const PAGE = 100;

/** How far an import is, read again while a worker is at it. */
export const importQuery = (businessId: string, importId: string) => ({
  ...rpcQuery(ImportService.method.getImport, { businessId, importId }),
  refetchInterval: ({ state }: { state: { data?: { import?: { state: ImportState } } | undefined } }) =>
    isRunning(state.data?.import?.state) ? POLL_MS : false,
});

/** Lines in the order of the table. */
export const importLinePages = (businessId: string, importId: string, state: ImportLineState) =>
  rpcPages(ImportService.method.listImportLines, { businessId, importId, state, pageSize: PAGE });

/** Imports of a kind, the latest first. */
export const importPages = (businessId: string, kind: ImportKind) =>
  rpcPages(ImportService.method.listImports, { businessId, kind, pageSize: 10 });

/** Whether a worker checks or imports its lines. */
export const isRunning = (state: ImportState | undefined) =>
  state === ImportState.CHECKING || state === ImportState.IMPORTING;

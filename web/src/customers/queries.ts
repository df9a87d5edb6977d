import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../api/call';
import { methodKey, type RpcKey, rpcPages, rpcQuery } from '../api/query';
import { CatalogueService } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { CustomerFiguresService } from '../gen/frontdesk/scheduling/v1/customer_figures_pb';
import { PatchTestService } from '../gen/frontdesk/scheduling/v1/patch_test_pb';
import { CallService } from '../gen/frontdesk/telemetry/v1/call_pb';
import { CustomerMergeService } from '../gen/frontdesk/tenancy/v1/customer_merge_pb';
import { CustomerNoteService } from '../gen/frontdesk/tenancy/v1/customer_note_pb';
import { CustomerService } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { CustomerRecordService } from '../gen/frontdesk/tenancy/v1/customer_record_pb';
import { ErasureService, type GetErasureResponse } from '../gen/frontdesk/tenancy/v1/erasure_pb';

const PAGE = 200;
const LIST_PAGE = 50;
const NOTES_PAGE = 20;
/** More would hide what a booking is about. */
const PINNED_NOTES = 5;

/** The customers that a search finds, by name; all for an empty one. */
export const customerPages = (businessId: string, query: string) =>
  rpcPages(CustomerService.method.listCustomers, { businessId, query, pageSize: LIST_PAGE });

export const customerQuery = (businessId: string, customerId: string) =>
  rpcQuery(CustomerService.method.getCustomer, { businessId, customerId });

/** What is noted about a customer, the pinned notes first. */
export const notePages = (businessId: string, customerId: string) =>
  rpcPages(CustomerNoteService.method.listCustomerNotes, { businessId, customerId, pageSize: NOTES_PAGE });

/** The first of the notes, among which are the pinned ones. */
export const firstNotesQuery = (businessId: string, customerId: string) =>
  rpcQuery(CustomerNoteService.method.listCustomerNotes, { businessId, customerId, pageSize: PINNED_NOTES });

/** As many customers as the contract reads at once. */
const PINNED_AT_ONCE = 200;

/** The pinned notes of each of some customers; those without have none. */
export const pinnedNotesQuery = (businessId: string, customerIds: readonly string[]) => {
  const method = CustomerNoteService.method.getPinnedNotes;
  return queryOptions({
    queryKey: [methodKey(method), { businessId, customerIds: [...customerIds] }] as RpcKey,
    queryFn: async ({ signal }) => {
      const notes = new Map<string, string[]>();
      for (let at = 0; at < customerIds.length; at += PINNED_AT_ONCE) {
        const some = customerIds.slice(at, at + PINNED_AT_ONCE);
        const { customers } = await call(method, { businessId, customerIds: some }, { signal });
        for (const { customerId, texts } of customers) notes.set(customerId, texts);
      }
      return notes;
    },
  });
};

/** The first whom some letters of a name, or figures of a number, may mean. */
export const customersLike = (businessId: string, query: string, pageSize: number) =>
  rpcQuery(CustomerService.method.listCustomers, { businessId, query, pageSize });

/** Who has this number: E.164, or as it is dialled in the salon's country. */
export const customersByPhone = (businessId: string, phone: string) =>
  rpcQuery(CustomerService.method.listCustomers, { businessId, phone, pageSize: PAGE });

/** What a merge would make of two customers; the first of them stays. */
export const mergePreviewQuery = (businessId: string, customerId: string, mergedCustomerId: string) =>
  rpcQuery(CustomerMergeService.method.previewCustomerMerge, { businessId, customerId, mergedCustomerId });

/** Who was made part of a customer. */
export const mergesQuery = (businessId: string, customerId: string) =>
  rpcQuery(CustomerMergeService.method.listCustomerMerges, { businessId, customerId });

const ERASURE_POLL_MS = 1000;

/** How far the erasure of a customer is, read again until every part has confirmed. */
export const erasureQuery = (businessId: string, customerId: string) => ({
  ...rpcQuery(ErasureService.method.getErasure, { businessId, customerId }),
  refetchInterval: ({ state }: { state: { data?: GetErasureResponse | undefined } }) =>
    state.data?.erasure && !state.data.erasure.finishedAt ? ERASURE_POLL_MS : (false as const),
});

/** They end by themselves, mostly within seconds. */
const OPEN_ERASURES_POLL_MS = 60_000;

/** Erasures that have not ended, the earliest first. */
export const openErasuresQuery = (businessId: string) => ({
  ...rpcQuery(ErasureService.method.listOpenErasures, { businessId, pageSize: LIST_PAGE }),
  refetchInterval: OPEN_ERASURES_POLL_MS,
});

/** What a customer's past visits add up to. */
export const figuresQuery = (businessId: string, customerId: string) =>
  rpcQuery(CustomerFiguresService.method.getCustomerFigures, { businessId, customerId });

export const patchTestsQuery = (businessId: string, customerId: string) =>
  rpcQuery(CustomerRecordService.method.listPatchTests, { businessId, customerId });

/** The customer's tests were changed: what their visits lack may be another. */
export function readPatchTestsAgain(queries: QueryClient, businessId: string, customerId: string): void {
  void queries.invalidateQueries({ queryKey: patchTestsQuery(businessId, customerId).queryKey });
  void queries.invalidateQueries({ queryKey: [methodKey(PatchTestService.method.checkPatchTests)] });
}

/** All services, of which some need a test. */
export const testedServicesQuery = (businessId: string) =>
  rpcQuery(CatalogueService.method.listServices, { businessId, pageSize: PAGE });

export const formulasQuery = (businessId: string, customerId: string) =>
  rpcQuery(CustomerRecordService.method.listFormulas, { businessId, customerId });

/** What a customer answered about advertising, the latest first. */
export const consentChangesQuery = (businessId: string, customerId: string) =>
  rpcQuery(CustomerRecordService.method.listConsentChanges, { businessId, customerId });

/** A customer's calls, the latest first. */
export const customerCallPages = (businessId: string, customerId: string) =>
  rpcPages(CallService.method.listCalls, { businessId, customerId, pageSize: 10 });

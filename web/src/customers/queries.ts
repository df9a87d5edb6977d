import { rpcPages, rpcQuery } from '../api/query';
import { CustomerNoteService } from '../gen/frontdesk/tenancy/v1/customer_note_pb';
import { CustomerService } from '../gen/frontdesk/tenancy/v1/customer_pb';

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

/** The first whom some letters of a name, or figures of a number, may mean. */
export const customersLike = (businessId: string, query: string, pageSize: number) =>
  rpcQuery(CustomerService.method.listCustomers, { businessId, query, pageSize });

/** Who has this number: E.164, or as it is dialled in the salon's country. */
export const customersByPhone = (businessId: string, phone: string) =>
  rpcQuery(CustomerService.method.listCustomers, { businessId, phone, pageSize: PAGE });

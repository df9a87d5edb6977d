import { rpcPages, rpcQuery } from '../api/query';
import { CustomerService } from '../gen/frontdesk/tenancy/v1/customer_pb';

const PAGE = 200;

export const customerPages = (businessId: string) =>
  rpcPages(CustomerService.method.listCustomers, { businessId, pageSize: PAGE });

/** Who has this number: E.164, or as it is dialled in the salon's country. */
export const customersByPhone = (businessId: string, phone: string) =>
  rpcQuery(CustomerService.method.listCustomers, { businessId, phone, pageSize: PAGE });

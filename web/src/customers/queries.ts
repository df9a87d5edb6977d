import { rpcQuery } from '../api/query';
import { CustomerService } from '../gen/frontdesk/tenancy/v1/customer_pb';

const PAGE = 200;

/** The first whom some letters of a name, or figures of a number, may mean. */
export const customersLike = (businessId: string, query: string, pageSize: number) =>
  rpcQuery(CustomerService.method.listCustomers, { businessId, query, pageSize });

/** Who has this number: E.164, or as it is dialled in the salon's country. */
export const customersByPhone = (businessId: string, phone: string) =>
  rpcQuery(CustomerService.method.listCustomers, { businessId, phone, pageSize: PAGE });

import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../api/call';
import { methodKey, type RpcKey, rpcQuery } from '../api/query';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Call } from '../gen/frontdesk/telemetry/v1/call_pb';
import { CustomerService } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { lastVisitOf, nextVisitOf, type ReadPage } from './customer-visits';

/** As many as can share a telephone and still be told apart in a line. */
const MOST_MATCHES = 4;
const MOST_VISITS = 200;

export type Matched = { id: string; name: string };

/** Whom the agent recognised, else everybody with the caller's number. */
export function useMatched(businessId: string, { customerId, customerName, fromNumber }: Call): Matched[] {
  const known = customerId !== '';
  const query = useQuery({
    ...rpcQuery(CustomerService.method.listCustomers, {
      businessId,
      phone: fromNumber,
      pageSize: MOST_MATCHES,
    }),
    enabled: !known && fromNumber !== '',
  });
  if (known) return [{ id: customerId, name: customerName }];
  return query.data?.customers ?? [];
}

const pagesOf =
  (businessId: string, signal: AbortSignal): ReadPage =>
  (from, to, pageToken) =>
    call(
      AppointmentService.method.listAppointments,
      {
        businessId,
        from: timestampFromDate(from),
        to: timestampFromDate(to),
        pageSize: MOST_VISITS,
        pageToken,
      },
      { signal },
    );

/** Filed under visits: what the agent books meanwhile shows. */
const nextVisitQuery = (businessId: string, customerId: string) =>
  queryOptions({
    queryKey: [
      methodKey(AppointmentService.method.listAppointments),
      { businessId },
      'next',
      customerId,
    ] as RpcKey,
    queryFn: ({ signal }) => nextVisitOf(customerId, new Date(), pagesOf(businessId, signal)),
  });

/** Filed under its own name: what is over changes in no call. */
const lastVisitQuery = (businessId: string, customerId: string) =>
  queryOptions({
    queryKey: ['last visit', { businessId }, customerId] as RpcKey,
    queryFn: ({ signal }) => lastVisitOf(customerId, new Date(), pagesOf(businessId, signal)),
    staleTime: Number.POSITIVE_INFINITY,
  });

export function useVisitsOf(businessId: string, customerId: string) {
  return {
    next: useQuery(nextVisitQuery(businessId, customerId)),
    last: useQuery(lastVisitQuery(businessId, customerId)),
  };
}

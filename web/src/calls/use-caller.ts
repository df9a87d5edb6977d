import { useQuery } from '@tanstack/react-query';
import { rpcQuery } from '../api/query';
import {
  AppointmentService,
  type ListCustomerAppointmentsResponse,
} from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import type { Call } from '../gen/frontdesk/telemetry/v1/call_pb';
import { CustomerService } from '../gen/frontdesk/tenancy/v1/customer_pb';

/** As many as can share a telephone and still be told apart in a line. */
const MOST_MATCHES = 4;

export type Matched = { id: string; name: string };

/** The customer that the agent recognised, else all with the caller's number. */
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

const visitQuery = (businessId: string, customerId: string, upcoming: boolean) => ({
  ...rpcQuery(AppointmentService.method.listCustomerAppointments, {
    businessId,
    customerId,
    upcoming,
    pageSize: 1,
  }),
  select: ({ appointments }: ListCustomerAppointmentsResponse) => appointments[0] ?? null,
});

/** The visit a customer comes for next, and the one they came for last. */
export function useVisitsOf(businessId: string, customerId: string) {
  return {
    next: useQuery(visitQuery(businessId, customerId, true)),
    last: useQuery(visitQuery(businessId, customerId, false)),
  };
}

import { useQueries, useQuery } from '@tanstack/react-query';
import { may } from '../api/access';
import { visitsOfDayQuery } from '../appointments/queries';
import { customersLike } from '../customers/queries';
import { saysAll } from '../finding/words';
import { AppointmentAccess, CustomerAccess } from '../gen/access';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { ListCustomersResponse } from '../gen/frontdesk/tenancy/v1/customer_pb';
import type { AskedDays } from './asked-day';

/** Whom digits of a number may mean: a name is found among the visits as well. */
const MOST_CUSTOMERS = 50;

export type VisitsOn = {
  /** The text beside the days; empty where there is none. */
  name: string;
  customers: ListCustomersResponse | undefined;
  visits: Appointment[];
  looking: boolean;
  failed: boolean;
};

/** The visits of the days that a text names, of the customers that its other words mean. */
export function useVisitsOn(
  businessId: string,
  role: string,
  asked: AskedDays | undefined,
  zone: string,
): VisitsOn {
  const name = asked?.rest ?? '';
  const customers = useQuery({
    ...customersLike(businessId, name, MOST_CUSTOMERS),
    enabled: name !== '' && may(CustomerAccess.listCustomers, role),
  });
  const days = useQueries({
    queries: (name ? (asked?.days ?? []) : []).map((day) => ({
      ...visitsOfDayQuery(businessId, day, zone),
      enabled: may(AppointmentAccess.listAppointments, role),
    })),
  });
  const ids = new Set(customers.data?.customers.map(({ id }) => id));
  const isMeant = ({ customerId, customerName }: Appointment) =>
    ids.has(customerId) || saysAll(customerName, name);
  return {
    name,
    customers: customers.data,
    visits: days.flatMap(({ data = [] }) => data.filter(isMeant)),
    looking: customers.isFetching || days.some(({ isFetching }) => isFetching),
    failed: days.some(({ isError }) => isError),
  };
}

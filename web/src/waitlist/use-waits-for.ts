import { useQuery } from '@tanstack/react-query';
import { bookableServicesQuery } from '../booking/queries';
import { useEmployeesOnRecord } from '../business/use-employees';
import type { WaitlistEntry } from '../gen/frontdesk/scheduling/v1/waitlist_pb';
import { waitsForText } from './wishes';

/** Says what a customer waits for, by the names of services and employees. */
export function useWaitsFor(businessId: string): (entry: WaitlistEntry) => string {
  const services = useQuery(bookableServicesQuery(businessId)).data?.services ?? [];
  const employees = useEmployeesOnRecord(businessId);
  const namesOf = (named: readonly { id: string; name: string }[]) =>
    new Map(named.map(({ id, name }) => [id, name]));
  return (entry) => waitsForText(entry, namesOf(services), namesOf(employees));
}

import { useQuery } from '@tanstack/react-query';
import type { Person } from '../day/columns';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { choosable } from './choosable';
import { employeesQuery, formerEmployeesQuery, meQuery } from './queries';

/** The current and the former employees: the names of what was done in the past. */
export function useEmployeesOnRecord(businessId: string): Employee[] {
  const here = useQuery(employeesQuery(businessId)).data?.employees ?? [];
  const former = useQuery(formerEmployeesQuery(businessId)).data?.employees ?? [];
  return [...here, ...former];
}

/** The names of these employees; reads the former ones only if one of these is no longer here. */
export function useEmployeeNames(businessId: string, ids: readonly string[]): ReadonlyMap<string, string> {
  const here = useQuery(employeesQuery(businessId)).data?.employees;
  const former = useQuery({ ...formerEmployeesQuery(businessId), enabled: hasFormer(here, ids) });
  return new Map([...(former.data?.employees ?? []), ...(here ?? [])].map(({ id, name }) => [id, name]));
}

const hasFormer = (here: readonly Person[] | undefined, ids: readonly string[]): boolean =>
  here !== undefined && ids.some((id) => id !== '' && !here.some((one) => one.id === id));

/** The options of a field that has employees; reads the former ones only if the field names one of them. */
export function useChoosable(businessId: string, chosen: readonly string[]): Person[] {
  const here = useQuery(employeesQuery(businessId)).data?.employees;
  const former = useQuery({ ...formerEmployeesQuery(businessId), enabled: hasFormer(here, chosen) });
  return choosable(here ?? [], former.data?.employees ?? [], chosen);
}

/** The employees on whose behalf a person may act: everyone if the person decides, otherwise only themselves. */
export function useOnBehalfOf(businessId: string, decides: boolean): { me: string; people: Employee[] } {
  const me = useQuery(meQuery()).data?.id ?? '';
  const employees = useQuery(employeesQuery(businessId)).data?.employees ?? [];
  const people = decides ? employees : employees.filter(({ userId }) => me !== '' && userId === me);
  return { me, people };
}

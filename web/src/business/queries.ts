import { base64Encode } from '@bufbuild/protobuf/wire';
import { useQuery } from '@tanstack/react-query';
import { rpcPages, rpcQuery, rpcWhole } from '../api/query';
import { AccountService, type Membership } from '../gen/frontdesk/auth/v1/account_pb';
import { OpeningExceptionService } from '../gen/frontdesk/scheduling/v1/opening_exception_pb';
import { ScheduleService } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { BusinessService } from '../gen/frontdesk/tenancy/v1/business_pb';
import { type Employee, EmployeeService } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { type GetLogoResponse, LogoService } from '../gen/frontdesk/tenancy/v1/logo_pb';
import { isAdmin, normaliseRole } from '../session/roles';
import { useSession } from '../session/use-session';

const asMemberships = (memberships: Membership[]) => ({ memberships });

/** All of them: a business that is missing from them is not the person's. */
export const membershipsQuery = () => ({
  ...rpcWhole(AccountService.method.listMyMemberships, {}, ({ memberships }) => memberships),
  select: asMemberships,
});

/** The signed-in person's own account. */
export const meQuery = () => rpcQuery(AccountService.method.getMe, {});

export const businessQuery = (businessId: string) =>
  rpcQuery(BusinessService.method.getBusiness, { businessId });

/** The picture that a digest names, as the address of an image: an image element can't send the session's token. */
export const logoQuery = (businessId: string, digest: string) => ({
  ...rpcQuery(LogoService.method.getLogo, { businessId, digest }),
  staleTime: Number.POSITIVE_INFINITY,
  select: pictureOf,
});

function pictureOf({ content }: GetLogoResponse): string {
  return `data:image/png;base64,${base64Encode(content)}`;
}

export const openingHoursQuery = (businessId: string) =>
  rpcQuery(ScheduleService.method.getOpeningHours, { businessId });

const MOST_CLOSURES = 200;

/** Closures and special hours from a date on. */
export const closuresQuery = (businessId: string, fromDate: string) =>
  rpcQuery(OpeningExceptionService.method.listOpeningExceptions, {
    businessId,
    fromDate,
    pageSize: MOST_CLOSURES,
  });

const asEmployees = (employees: Employee[]) => ({ employees });

export const employeesQuery = (businessId: string) => ({
  ...rpcWhole(EmployeeService.method.listEmployees, { businessId }, ({ employees }) => employees),
  select: asEmployees,
});

/** Those whose last day is over. */
export const formerEmployeesQuery = (businessId: string) => ({
  ...rpcWhole(
    EmployeeService.method.listEmployees,
    { businessId, former: true },
    ({ employees }) => employees,
  ),
  select: asEmployees,
});

export const allBusinessesPages = () => rpcPages(BusinessService.method.listBusinesses, { pageSize: 50 });

export function useMemberships(): Membership[] | undefined {
  return useQuery(membershipsQuery()).data?.memberships;
}

export type BusinessRole =
  | { kind: 'unknown' }
  | { kind: 'none' }
  | { kind: 'failed'; error: unknown; retry: () => void }
  | { kind: 'member'; role: string };

/** The person's role in one business: what decides there, whatever their highest role is. */
export function useBusinessRole(businessId: string): BusinessRole {
  const { user: proven, cachedUser } = useSession();
  const user = proven ?? cachedUser;
  const { data, error, refetch } = useQuery(membershipsQuery());
  if (user && isAdmin(user.role)) return { kind: 'member', role: 'ADMIN' };
  // With a single business the highest role is the role there: nothing to wait for.
  if (user?.businessIds.length === 1 && user.businessIds[0] === businessId) {
    const known = data?.memberships.find((membership) => membership.businessId === businessId);
    return { kind: 'member', role: normaliseRole(known?.role ?? user.role) };
  }
  if (!data) return error ? { kind: 'failed', error, retry: () => void refetch() } : { kind: 'unknown' };
  const membership = data.memberships.find((candidate) => candidate.businessId === businessId);
  return membership ? { kind: 'member', role: normaliseRole(membership.role) } : { kind: 'none' };
}

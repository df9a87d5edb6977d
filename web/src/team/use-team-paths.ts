import { useBusinessHere } from '../business/chosen-business';
import { paths } from '../paths';

/** Addresses of the team's pages, where its own people or where an administrator reads them. */
export function useTeamPaths() {
  const { businessId, chosen } = useBusinessHere();
  return chosen
    ? {
        team: paths.adminTeam(businessId),
        employee: (employeeId: string) => paths.adminTeamMember(businessId, employeeId),
      }
    : {
        team: paths.team(businessId),
        employee: (employeeId: string) => paths.teamMember(businessId, employeeId),
      };
}

/** The schedule of all employees on a day, or of one in a week. */
export function scheduleOn(businessId: string, day: string, employeeId = ''): string {
  const search = new URLSearchParams({ date: day, ...(employeeId ? { employee: employeeId } : {}) });
  return `${paths.schedule(businessId)}?${search}`;
}

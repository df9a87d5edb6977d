import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { agentQuery } from '../agent/queries';
import { may } from '../api/access';
import { rpcQuery } from '../api/query';
import { employeesQuery, openingHoursQuery } from '../business/queries';
import { useZone } from '../business/use-zone';
import { voiceConnectionsQuery } from '../details/queries';
import { AgentSettingsAccess, MemberAccess, ScheduleAccess, VoiceConnectionAccess } from '../gen/access';
import { ScheduleService } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { invitationPages, memberPages } from '../members/queries';
import { useServices } from '../services/use-services';
import { dayKey } from '../time/zoned';
import { useNow } from '../ui/use-now';
import type { SetupFacts } from './steps';

const MOST = 200;
const OWNER = 'OWNER';

/** Who works when, on one day: whether they work at all. */
export const staffQuery = (businessId: string, today: string) =>
  rpcQuery(ScheduleService.method.listStaffSchedules, {
    businessId,
    firstDate: today,
    lastDate: today,
    pageSize: MOST,
  });

/** What a salon has of what it needs, as far as a person of this role may know it. */
export function useSetup(businessId: string, role: string): SetupFacts {
  const today = dayKey(useNow(60_000), useZone(businessId));
  const hours = useQuery(openingHoursQuery(businessId)).data;
  const employees = useQuery(employeesQuery(businessId)).data?.employees;
  // Hours and skills of those who have left stay on record.
  const here = employees && new Set(employees.map(({ id }) => id));
  const staff = useQuery({
    ...staffQuery(businessId, today),
    enabled: may(ScheduleAccess.listStaffSchedules, role),
  }).data?.staff;
  const services = useServices(businessId).data?.pages.flatMap((page) => page.services);
  const members = useInfiniteQuery({
    ...memberPages(businessId),
    enabled: may(MemberAccess.listMembers, role),
  }).data?.pages.flatMap((page) => page.members);
  const invitations = useInfiniteQuery({
    ...invitationPages(businessId),
    enabled: may(MemberAccess.listInvitations, role),
  }).data?.pages.flatMap((page) => page.invitations);
  const voice = useQuery({
    ...voiceConnectionsQuery(businessId),
    enabled: may(VoiceConnectionAccess.listVoiceConnections, role),
  }).data?.voiceConnections;
  const agent = useQuery({
    ...agentQuery(businessId),
    enabled: may(AgentSettingsAccess.getAgentSettings, role),
  }).data;
  return {
    openDays: hours && new Set(hours.spans.map(({ weekday }) => weekday)).size,
    employees: employees?.length,
    scheduledEmployees:
      here &&
      staff?.filter(
        ({ employeeId, schedules }) =>
          here.has(employeeId) && schedules.some(({ spans }) => spans.length > 0),
      ).length,
    services: services?.length,
    bookableServices:
      here && services?.filter(({ employeeIds }) => employeeIds.some((id) => here.has(id))).length,
    owners: members?.filter(({ role }) => role === OWNER).length,
    invitedOwners: invitations?.filter(({ role }) => role === OWNER).length,
    voiceConnections: voice?.length,
    agentVersion: agent && (agent.published?.version ?? 0),
  };
}

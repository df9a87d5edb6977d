import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { agentQuery } from '../agent/queries';
import { may } from '../api/access';
import { rpcQuery } from '../api/query';
import { employeesQuery, openingHoursQuery } from '../business/queries';
import { useZone } from '../business/use-zone';
import { voiceConnectionsQuery } from '../details/queries';
import { AgentSettingsAccess, MemberAccess, ScheduleAccess, VoiceConnectionAccess } from '../gen/access';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { ScheduleService, type StaffSchedule } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';
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

/** What a salon has of what it needs, as far as a person of this role may know it, and what could not be read of it. */
export function useSetup(businessId: string, role: string) {
  const today = dayKey(useNow(60_000), useZone(businessId));
  const hours = useQuery(openingHoursQuery(businessId));
  const employees = useQuery(employeesQuery(businessId));
  const staff = useQuery({
    ...staffQuery(businessId, today),
    enabled: may(ScheduleAccess.listStaffSchedules, role),
  });
  const services = useServices(businessId);
  const members = useInfiniteQuery({
    ...memberPages(businessId),
    enabled: may(MemberAccess.listMembers, role),
  });
  const invitations = useInfiniteQuery({
    ...invitationPages(businessId),
    enabled: may(MemberAccess.listInvitations, role),
  });
  const voice = useQuery({
    ...voiceConnectionsQuery(businessId),
    enabled: may(VoiceConnectionAccess.listVoiceConnections, role),
  });
  const agent = useQuery({
    ...agentQuery(businessId),
    enabled: may(AgentSettingsAccess.getAgentSettings, role),
  });
  const asked = [hours, employees, staff, services, members, invitations, voice, agent];
  const missing = asked.filter(({ data }) => data === undefined);
  return {
    facts: {
      openDays: hours.data && new Set(hours.data.spans.map(({ weekday }) => weekday)).size,
      ...teamFacts(
        employees.data?.employees,
        staff.data?.staff,
        services.data?.pages.flatMap((page) => page.services),
      ),
      owners: owners(members.data?.pages.flatMap((page) => page.members)),
      invitedOwners: owners(invitations.data?.pages.flatMap((page) => page.invitations)),
      voiceConnections: voice.data?.voiceConnections.length,
      agentVersion: agent.data && (agent.data.published?.version ?? 0),
    } satisfies SetupFacts,
    /** Why something of it is not known. */
    error: missing.find(({ error }) => error)?.error ?? undefined,
    /** What is not known is being read. */
    isReading: missing.some(({ isFetching }) => isFetching),
  };
}

const owners = (people: readonly { role: string }[] | undefined) =>
  people?.filter(({ role }) => role === OWNER).length;

function teamFacts(
  employees: Employee[] | undefined,
  staff: StaffSchedule[] | undefined,
  services: Service[] | undefined,
) {
  // Hours and skills of those who have left stay on record.
  const here = employees && new Set(employees.map(({ id }) => id));
  const works = ({ employeeId, schedules }: StaffSchedule) =>
    here?.has(employeeId) && schedules.some(({ spans }) => spans.length > 0);
  const isDone = ({ employeeIds }: Service) => employeeIds.some((id) => here?.has(id));
  return {
    employees: employees?.length,
    scheduledEmployees: here && staff?.filter(works).length,
    services: services?.length,
    bookableServices: here && services?.filter(isDone).length,
  };
}

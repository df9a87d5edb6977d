import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';

/** Who did something, by the audit trail's name: "user:…", "agent:…" or "service:…". */
export function actorName(
  actor: string,
  employees: readonly Pick<Employee, 'name' | 'userId'>[],
  userId: string,
): string {
  const [kind, id = ''] = actor.split(':');
  if (kind === 'agent') return 'The phone agent';
  if (kind === 'service') return 'Frontdesk';
  if (kind !== 'user') return '';
  if (id !== '' && id === userId) return 'You';
  return employees.find((employee) => employee.userId === id)?.name ?? 'A team member';
}

import { actorName } from '../business/actor-name';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';

type People = { employees: readonly Pick<Employee, 'name' | 'userId'>[]; userId: string };

/** "Booked by Mia after the call"; `endedAt` is null while it goes on. */
export function bookedByText(
  actor: string,
  bookedAt: Date,
  endedAt: Date | null,
  { employees, userId }: People,
): string {
  const name = actorName(actor, employees, userId).replace(/^(You|A team member)$/, (word) =>
    word.toLowerCase(),
  );
  const when = endedAt && bookedAt > endedAt ? 'after the call' : 'during the call';
  return `Booked ${name && `by ${name} `}${when}`;
}

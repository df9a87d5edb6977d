import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { may } from '../api/access';
import { useBusinessHere } from '../business/chosen-business';
import { openingHoursQuery, useBusinessRole } from '../business/queries';
import { ScheduleAccess } from '../gen/access';
import { messageOf } from '../http/errors';
import { AccessRestricted } from '../layout/access-restricted';
import { NotFound } from '../layout/not-found';
import { Reading } from '../layout/reading';
import { Failed } from '../ui/states';
import { TeamSkeleton } from './team-skeleton';

/** What a page of the team knows before it shows anything. */
export type TeamHere = { businessId: string; role: string; zone: string };

/** The team of the current business, for a role that may see it. */
export function TeamAccess({ children }: { children: (here: TeamHere) => ReactNode }) {
  const { businessId } = useBusinessHere();
  const role = useBusinessRole(businessId);
  const hours = useQuery(openingHoursQuery(businessId));
  if (role.kind === 'none') return <NotFound />;
  if (role.kind === 'failed') {
    return (
      <Failed title="Your role can’t be found out" message={messageOf(role.error)} onRetry={role.retry} />
    );
  }
  if (role.kind === 'unknown') return <TeamSkeleton />;
  if (!may(ScheduleAccess.listWeeklySchedules, role.role)) return <AccessRestricted signedIn />;
  return (
    // Which day is today depends on the salon's clock: nothing can be asked for before that is known.
    <Reading query={hours} what="The team" framed missingIsPage skeleton={<TeamSkeleton />}>
      {({ timeZone }) => children({ businessId, role: role.role, zone: timeZone || 'UTC' })}
    </Reading>
  );
}

import type { ReactNode } from 'react';
import { type LeastRole, may } from '../api/access';
import { messageOf } from '../http/errors';
import { AccessRestricted } from '../layout/access-restricted';
import { NotFound } from '../layout/not-found';
import { Failed } from '../ui/states';
import { useBusinessRole } from './queries';

type AllowedProps = {
  businessId: string;
  /** Of the method the page is nothing without. */
  least: LeastRole;
  /** While it is not known who the person is here. */
  waiting: ReactNode;
  children: (role: string) => ReactNode;
};

/** A page of a business, for those who may read what is on it. */
export function Allowed({ businessId, least, waiting, children }: AllowedProps) {
  const role = useBusinessRole(businessId);
  switch (role.kind) {
    case 'unknown':
      return waiting;
    case 'none':
      return <NotFound />;
    case 'failed':
      return (
        <Failed title="Your role can’t be found out" message={messageOf(role.error)} onRetry={role.retry} />
      );
    case 'member':
      return may(least, role.role) ? children(role.role) : <AccessRestricted signedIn />;
  }
}

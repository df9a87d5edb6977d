import type { DescMethod } from '@bufbuild/protobuf';
import type { ReactNode } from 'react';
import { may } from '../api/access';
import { messageOf } from '../api/errors';
import { AccessRestricted } from '../session/access-restricted';
import { NotFound } from '../shell/not-found';
import { Failed } from '../ui/states';
import { useBusinessRole } from './queries';

type AllowedProps = {
  businessId: string;
  /** What the page is nothing without. */
  method: DescMethod;
  /** While it is not known who the person is here. */
  waiting: ReactNode;
  children: (role: string) => ReactNode;
};

/** A page of a business, for those who may read what is on it. */
export function Allowed({ businessId, method, waiting, children }: AllowedProps) {
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
      return may(method, role.role) ? children(role.role) : <AccessRestricted signedIn />;
  }
}

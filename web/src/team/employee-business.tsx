import { useQuery } from '@tanstack/react-query';
import { Navigate, useLocation } from 'react-router';
import { rpcQuery } from '../api/query';
import { EmployeeService } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { isNotFound, messageOf } from '../http/errors';
import { NotFound } from '../layout/not-found';
import { Page } from '../layout/page';
import { isId } from '../paths';
import { Surface } from '../ui/card';
import { Failed } from '../ui/states';
import { TeamSkeleton } from './team-skeleton';

/** Finds the business of an employee whom an administrator’s address names, and goes on with it in the address. */
export function EmployeeBusiness({ employeeId }: { employeeId: string }) {
  const { pathname, search } = useLocation();
  const query = useQuery({
    ...rpcQuery(EmployeeService.method.findEmployee, { employeeId }),
    enabled: isId(employeeId),
  });
  if (!isId(employeeId) || isNotFound(query.error)) return <NotFound />;
  if (query.data) {
    const asked = new URLSearchParams(search);
    asked.set('business', query.data.businessId);
    return <Navigate to={`${pathname}?${asked}`} replace />;
  }
  return (
    <Page title="Working hours">
      {query.error ? (
        <Surface>
          <Failed
            title="The employee can’t be found out"
            message={messageOf(query.error)}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        </Surface>
      ) : (
        <TeamSkeleton />
      )}
    </Page>
  );
}

import { Stack } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Scissors } from 'lucide-react';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import { may } from '../api/access';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { employeesQuery, useBusinessRole } from '../businesses/queries';
import { EmployeeService } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { Page } from '../shell/page';
import { Reading } from '../shell/reading';
import { Button } from '../ui/button';
import { Surface } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { servicePages } from './queries';
import { SegmentLegend } from './segment-bar';
import { ServiceList, type Staff } from './service-list';

export function loader({ params }: LoaderFunctionArgs) {
  return warm(() => [queries.prefetchInfiniteQuery(servicePages(params.businessId ?? ''))]);
}

export function Component() {
  const { businessId = '' } = useParams();
  const query = useInfiniteQuery(servicePages(businessId));
  const staff = useStaff(businessId);
  return (
    <Page
      title="Services"
      lead="What the agent offers on the phone: how long it takes, what it costs and who does it."
    >
      <Reading
        query={query}
        what="The services"
        missingIsPage
        skeleton={
          <Surface>
            <RowsSkeleton rows={6} label="Loading services" />
          </Surface>
        }
      >
        {({ pages }) => {
          const services = pages.flatMap((page) => page.services);
          if (services.length === 0) return <NoServices />;
          return (
            <Stack gap="5" align="stretch">
              <SegmentLegend />
              <ServiceList services={services} staff={staff} />
              {query.hasNextPage && (
                <Button
                  alignSelf="center"
                  loading={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  Load more services
                </Button>
              )}
            </Stack>
          );
        }}
      </Reading>
    </Page>
  );
}

/** Guests see what is sold, and nobody's name. */
function useStaff(businessId: string): Staff {
  const role = useBusinessRole(businessId);
  const allowed = role.kind === 'member' && may(EmployeeService.method.listEmployees, role.role);
  const { data } = useQuery({ ...employeesQuery(businessId), enabled: allowed });
  return allowed && data ? new Map(data.employees.map(({ id, name }) => [id, name])) : undefined;
}

function NoServices() {
  return (
    <Surface>
      <Empty icon={Scissors} title="No services yet">
        Until there are some, the agent has nothing to offer on the phone.
      </Empty>
    </Surface>
  );
}

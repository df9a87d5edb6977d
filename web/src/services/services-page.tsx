import { Stack } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Scissors } from 'lucide-react';
import { useState } from 'react';
import { type LoaderFunctionArgs, useNavigate, useParams, useSearchParams } from 'react-router';
import { may } from '../api/access';
import { fetchedAhead } from '../api/fetched-ahead';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { employeesQuery, useBusinessRole } from '../business/queries';
import { AuditAccess, CatalogueAccess, EmployeeAccess, ResourceAccess } from '../gen/access';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Surface } from '../ui/card';
import { Empty } from '../ui/states';
import { CataloguePage } from './catalogue-page';
import { servicePages } from './queries';
import { resourcesQuery } from './resources/queries';
import { ResourceList } from './resources/resource-list';
import { SegmentLegend } from './segment-bar';
import { ServiceList, type Staff } from './service-list';
import { useLeaving } from './use-leaving';

export function loader({ params }: LoaderFunctionArgs) {
  return warm(() => [queries.prefetchInfiniteQuery(servicePages(params.businessId ?? ''))]);
}

export function Component() {
  const { businessId = '' } = useParams();
  const [search] = useSearchParams();
  const here = useBusinessRole(businessId);
  const role = here.kind === 'member' ? here.role : undefined;
  const onResources = search.get('tab') === 'resources' && may(ResourceAccess.listResources, role);
  const Tab = onResources ? ResourceList : Services;
  return <Tab key={businessId} businessId={businessId} role={role} />;
}

type ServicesProps = { businessId: string; role: string | undefined };

function Services({ businessId, role }: ServicesProps) {
  const query = useInfiniteQuery(servicePages(businessId));
  const staff = useStaff(businessId, role);
  const work = useWork(businessId, role);
  return (
    <CataloguePage
      businessId={businessId}
      role={role}
      title="Services"
      lead="What the agent offers on the phone: how long it takes, what it costs and who does it."
      add={work && { text: 'New service', run: work.add }}
      query={query}
    >
      {({ pages }) => {
        const services = pages.flatMap((page) => page.services);
        return (
          <>
            {services.length === 0 ? (
              <NoServices onAdd={work?.add} />
            ) : (
              <Stack gap="5" align="stretch">
                <SegmentLegend />
                <ServiceList services={services} staff={staff} work={work} />
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
            )}
            {work?.open && (
              <ServiceDialog
                businessId={businessId}
                service={work.open.service}
                services={services}
                kinds={work.kinds}
                onClose={work.close}
              />
            )}
          </>
        );
      }}
    </CataloguePage>
  );
}

const ServiceDialog = fetchedAhead(() =>
  import('./service-dialog').then(({ ServiceDialog }) => ServiceDialog),
);

/** What may be done with the services by those who may write. */
function useWork(businessId: string, role: string | undefined) {
  const navigate = useNavigate();
  const allowed = may(CatalogueAccess.updateService, role);
  const { ids, archive, keep } = useLeaving(businessId);
  const { data } = useQuery({ ...resourcesQuery(businessId), enabled: allowed });
  const [open, setOpen] = useState<{ service: Service | undefined }>();
  if (!allowed) return undefined;
  return {
    add: () => setOpen({ service: undefined }),
    edit: (service: Service) => setOpen({ service }),
    close: () => setOpen(undefined),
    open,
    archive,
    keep,
    audit: may(AuditAccess.listAuditEntries, role)
      ? (id: string) => void navigate(paths.audit(businessId, id))
      : undefined,
    leaving: ids,
    kinds: [...new Set(data?.resources.map(({ kind }) => kind))],
  };
}

/** Guests see the services without the employees' names. */
function useStaff(businessId: string, role: string | undefined): Staff {
  const allowed = may(EmployeeAccess.listEmployees, role);
  const { data } = useQuery({ ...employeesQuery(businessId), enabled: allowed });
  return allowed && data ? new Map(data.employees.map(({ id, name }) => [id, name])) : undefined;
}

function NoServices({ onAdd }: { onAdd: (() => void) | undefined }) {
  return (
    <Surface>
      <Empty
        icon={Scissors}
        title="No services yet"
        action={onAdd && <Button onClick={onAdd}>New service</Button>}
      >
        Until there are some, the agent has nothing to offer on the phone.
      </Empty>
    </Surface>
  );
}

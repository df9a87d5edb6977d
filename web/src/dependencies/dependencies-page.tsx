import type { LoaderFunctionArgs } from 'react-router';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { ChosenBusiness, useBusinessHere } from '../business/chosen-business';
import { Page } from '../layout/page';
import { CatalogueTabs } from '../services/catalogue-tabs';
import { servicePages } from '../services/queries';
import { DependencyBoard } from './dependency-board';
import { dependenciesQuery } from './queries';

export function loader({ params, request }: LoaderFunctionArgs) {
  const businessId = params.businessId ?? new URL(request.url).searchParams.get('business') ?? '';
  if (!businessId) return null;
  return warm(() => [
    queries.prefetchQuery(dependenciesQuery(businessId)),
    queries.prefetchInfiniteQuery(servicePages(businessId)),
  ]);
}

export function Component() {
  const { businessId, role, chosen } = useBusinessHere();
  return (
    <Page
      title="Rules between services"
      lead="What holds when one guest has several services: order and gaps, who does them, what needs an earlier visit."
    >
      {!chosen && <CatalogueTabs businessId={businessId} role={role} current="Rules" />}
      <ChosenBusiness>
        <DependencyBoard key={businessId} businessId={businessId} role={role} />
      </ChosenBusiness>
    </Page>
  );
}

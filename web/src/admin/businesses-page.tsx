import { Plus } from 'lucide-react';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { BusinessList } from '../business/business-list';
import { allBusinessesPages } from '../business/queries';
import { ButtonLink } from '../layout/links';
import { Page } from '../layout/page';
import { paths } from '../paths';

export function loader() {
  return warm(() => [queries.prefetchInfiniteQuery(allBusinessesPages())]);
}

export function Component() {
  return (
    <Page
      title="Businesses"
      lead="Every salon of this installation, by name."
      action={
        <ButtonLink to={paths.adminCreateBusiness()} variant="contained">
          <Plus size={20} aria-hidden />
          Create a business
        </ButtonLink>
      }
    >
      <BusinessList to={paths.business} />
    </Page>
  );
}

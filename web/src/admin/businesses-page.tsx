import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { BusinessList } from '../business/business-list';
import { allBusinessesPages } from '../business/queries';
import { Page } from '../layout/page';
import { paths } from '../paths';

export function loader() {
  return warm(() => [queries.prefetchInfiniteQuery(allBusinessesPages())]);
}

export function Component() {
  return (
    <Page title="Businesses" lead="Every salon of this installation, by name.">
      <BusinessList to={paths.business} />
    </Page>
  );
}

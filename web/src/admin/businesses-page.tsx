import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { BusinessList } from '../businesses/business-list';
import { allBusinessesPages } from '../businesses/queries';
import { paths } from '../paths';
import { Page } from '../shell/page';

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

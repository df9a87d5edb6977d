import { useParams } from 'react-router';
import { Allowed } from '../business/allowed';
import { ImportAccess } from '../gen/access';
import { ImportKind } from '../gen/frontdesk/tenancy/v1/import_pb';
import { ImportFlow } from '../imports/import-flow';
import { ButtonLink } from '../layout/links';
import { Page } from '../layout/page';
import { PageSkeleton } from '../layout/skeletons';
import { paths } from '../paths';

const WORDS = {
  many: 'items',
  one: 'item',
  headings: 'name, category, sku, barcode, price, cost, tax, supplier, low stock, unit, on hand',
  hint: 'Bring your products from another system or a spreadsheet, up to 50,000 lines.',
};

export function Component() {
  const { businessId = '' } = useParams();
  return (
    <Allowed
      businessId={businessId}
      least={ImportAccess.createImport}
      waiting={<PageSkeleton kind="businessDetail" />}
    >
      {() => (
        <Page title="Import items">
          <ImportFlow
            businessId={businessId}
            kind={ImportKind.ITEMS}
            words={WORDS}
            done={<ButtonLink to={paths.items(businessId)}>See the items</ButtonLink>}
          />
        </Page>
      )}
    </Allowed>
  );
}

import { ImportKind } from '../gen/frontdesk/tenancy/v1/import_pb';
import { ImportPage } from '../imports/import-page';
import { ButtonLink } from '../layout/links';
import { paths } from '../paths';

const WORDS = {
  many: 'items',
  one: 'item',
  headings: 'name, category, sku, barcode, price, cost, tax, supplier, low stock, unit, on hand',
  hint: 'Bring your products from another system or a spreadsheet, up to 50,000 lines.',
};

export function Component() {
  return (
    <ImportPage
      kind={ImportKind.ITEMS}
      words={WORDS}
      done={(businessId) => <ButtonLink to={paths.items(businessId)}>See the items</ButtonLink>}
    />
  );
}

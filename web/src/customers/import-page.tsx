import { ImportKind } from '../gen/frontdesk/tenancy/v1/import_pb';
import { ImportPage } from '../imports/import-page';
import { ButtonLink } from '../layout/links';
import { paths } from '../paths';

const WORDS = {
  many: 'customers',
  one: 'customer',
  headings: 'name, first name, last name, phone, email, tags',
  hint: 'Bring your customers from another system or a spreadsheet, up to 50,000 lines. Customers you already have, by name and number, are skipped.',
};

export function Component() {
  return (
    <ImportPage
      kind={ImportKind.CUSTOMERS}
      words={WORDS}
      done={(businessId) => <ButtonLink to={paths.customers(businessId)}>See the customers</ButtonLink>}
    />
  );
}

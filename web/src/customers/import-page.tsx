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
  many: 'customers',
  one: 'customer',
  headings: 'name, first name, last name, phone, email, tags',
  hint: 'Bring your customers from another system or a spreadsheet, up to 50,000 lines. Customers you already have, by name and number, are skipped.',
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
        <Page title="Import customers">
          <ImportFlow
            businessId={businessId}
            kind={ImportKind.CUSTOMERS}
            words={WORDS}
            done={<ButtonLink to={paths.customers(businessId)}>See the customers</ButtonLink>}
          />
        </Page>
      )}
    </Allowed>
  );
}

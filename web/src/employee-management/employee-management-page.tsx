import { ChosenBusiness, useBusinessHere } from '../business/chosen-business';
import { ImportKind } from '../gen/frontdesk/tenancy/v1/import_pb';
import { ImportFlow } from '../imports/import-flow';
import { ButtonLink } from '../layout/links';
import { Page } from '../layout/page';
import { paths } from '../paths';

const WORDS = {
  many: 'employees',
  one: 'employee',
  headings: 'name, email, role, calendar',
  hint: 'Each line adds an employee. Give an e-mail address to invite them, as EMPLOYEE unless the line says MANAGER or OWNER, and a calendar’s name to connect that calendar. Up to 500 lines.',
  pasted: true,
};

/** Adds many employees of a business at once. */
export function Component() {
  const { businessId } = useBusinessHere();
  return (
    <Page
      title="Employee management"
      lead="Add many employees at once, connect their calendars and invite them."
    >
      <ChosenBusiness>
        <ImportFlow
          key={businessId}
          businessId={businessId}
          kind={ImportKind.EMPLOYEES}
          words={WORDS}
          done={<ButtonLink to={paths.adminTeam(businessId)}>See the team</ButtonLink>}
        />
      </ChosenBusiness>
    </Page>
  );
}

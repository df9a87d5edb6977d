import { ImportKind } from '../gen/frontdesk/tenancy/v1/import_pb';
import { ImportPage } from '../imports/import-page';
import { ButtonLink } from '../layout/links';
import { paths } from '../paths';

const WORDS = {
  many: 'appointments',
  one: 'appointment',
  severalLines: true,
  headings: 'appointment, state, start, end, employee, service, customer, phone, email, notes',
  hint: 'Bring appointments to come from another system, up to 10,000 lines, one for each service. Their services, employees and customers must be here already. Times are by the clock of the salon. An appointment that was imported before, or whose time is taken, is left aside.',
};

export function Component() {
  return (
    <ImportPage
      kind={ImportKind.APPOINTMENTS}
      words={WORDS}
      done={(businessId) => <ButtonLink to={paths.schedule(businessId)}>See the schedule</ButtonLink>}
    />
  );
}

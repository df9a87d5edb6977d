import { Stack } from '@chakra-ui/react';
import { ChosenBusiness, useBusinessHere } from '../business/chosen-business';
import { useZone } from '../business/use-zone';
import { CalendarsCard } from '../calendars/calendars-card';
import { ConnectCard } from '../calendars/connect-card';
import { ImportKind } from '../gen/frontdesk/tenancy/v1/import_pb';
import { ImportFlow } from '../imports/import-flow';
import { ButtonLink } from '../layout/links';
import { Page } from '../layout/page';
import { paths } from '../paths';
import { runtime } from '../runtime';

const words = () => ({
  many: 'employees',
  one: 'employee',
  headings: 'name, email, role, calendar',
  hint: `Each line adds an employee. Give an e-mail address to invite them, as EMPLOYEE unless the line says MANAGER or OWNER; the address of a member links their account instead. To connect a calendar, give the address that it is published at (https:// or webcal://) or, if you have connected your account at Google, the name of a calendar there.${
    runtime().environment === 'production' ? '' : ' Here, the word demo connects a simulated calendar.'
  } Up to 500 lines.`,
  pasted: true,
});

/** Adds many employees of a business at once, and assigns calendars to those who are there. */
export function Component() {
  const { businessId, role = '' } = useBusinessHere();
  return (
    <Page
      title="Employee management"
      lead="Add many employees at once, connect their calendars and invite them."
    >
      <ChosenBusiness>
        <Stack key={businessId} gap="6">
          <ImportFlow
            businessId={businessId}
            kind={ImportKind.EMPLOYEES}
            words={words()}
            done={
              <>
                <ButtonLink to={paths.adminTeam(businessId)}>See the team</ButtonLink>
                <ButtonLink to={paths.details(businessId, 'team')}>Set their hours and services</ButtonLink>
              </>
            }
          />
          <TeamCalendars businessId={businessId} role={role} />
        </Stack>
      </ChosenBusiness>
    </Page>
  );
}

/** The calendars of the employees who are there already, and the ways to connect more. */
function TeamCalendars({ businessId, role }: { businessId: string; role: string }) {
  const zone = useZone(businessId);
  return (
    <>
      <CalendarsCard businessId={businessId} role={role} zone={zone} manage />
      <ConnectCard businessId={businessId} role={role} />
    </>
  );
}

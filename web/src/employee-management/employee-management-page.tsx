import { Box, Stack } from '@chakra-ui/react';
import { methodKey } from '../api/query';
import { queries } from '../api/query-client';
import { ChosenBusiness, useBusinessHere } from '../business/chosen-business';
import { useZone } from '../business/use-zone';
import { CalendarsCard } from '../calendars/calendars-card';
import { ConnectCard } from '../calendars/connect-card';
import { CalendarService } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { EmployeeService } from '../gen/frontdesk/tenancy/v1/employee_pb';
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
  hint: <Hint />,
  pasted: true,
});

/** What a line may say, and what comes of it. */
function Hint() {
  return (
    <Stack gap="2">
      <p>Each line adds an employee, up to 500 lines. All but the name may be left empty.</p>
      <Box as="ul" ps="5" listStyleType="disc">
        <li>An e-mail address invites them. The address of a member links that account instead.</li>
        <li>They are invited as EMPLOYEE, unless the role says MANAGER or OWNER.</li>
        <li>
          A calendar is connected by the address that it is published at (https:// or webcal://) or, if you
          have connected your account at Google, by its name there.
          {runtime().environment !== 'production' && ' Here, the word demo connects a simulated calendar.'}
        </li>
      </Box>
    </Stack>
  );
}

/** The people who were added and their calendars, without waiting for the next turn to read them. */
function readPeopleAgain(): void {
  for (const method of [EmployeeService.method.listEmployees, CalendarService.method.listCalendars])
    void queries.invalidateQueries({ queryKey: [methodKey(method)] });
}

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
            onFinished={readPeopleAgain}
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

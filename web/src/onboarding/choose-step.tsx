import { Stack } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { may } from '../api/access';
import { useAction } from '../api/action';
import { employeesQuery, membershipsQuery, meQuery } from '../business/queries';
import { calendarsQuery } from '../calendars/queries';
import { CalendarAccess } from '../gen/access';
import type { Membership } from '../gen/frontdesk/auth/v1/account_pb';
import { CalendarKind, CalendarService } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { ConsentState } from '../gen/frontdesk/calendarsync/v1/consent_pb';
import { ApiError, messageOf } from '../http/errors';
import { CardPage } from '../layout/card-page';
import { ButtonLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { landingOf } from '../session/landing';
import type { User } from '../session/user';
import { Button } from '../ui/button';
import { SelectField } from '../ui/select-field';
import { RowsSkeleton } from '../ui/skeleton';
import { Refusal } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { AskGoogle } from './ask-google';
import { EndingConsent } from './ending-consent';
import { consentsQuery, type PersonCalendar } from './queries';
import { Steps } from './steps';
import { WayOn } from './way-on';
import { Withdraw } from './withdraw';

const isAtGoogle = (calendar?: PersonCalendar): boolean => calendar?.kind === 'CALENDAR_KIND_GOOGLE';

function refusal(error: unknown): string | undefined {
  if (!error) return undefined;
  if (error instanceof ApiError && error.reason === 'ALREADY_EXISTS') {
    return 'This salon has connected this calendar already.';
  }
  return messageOf(error);
}

type ChooseProps = { user: User; calendars: readonly PersonCalendar[] };

/** Which calendar, and whose it is at which salon. */
export function ChooseStep({ user, calendars }: ChooseProps) {
  const memberships = useQuery(membershipsQuery());
  return (
    <CardPage
      title="Choose a calendar"
      lead="Choose a calendar, and the employee whose busy times are in it."
    >
      <Steps at={2} />
      <Reading
        query={memberships}
        what="Your salons"
        skeleton={<RowsSkeleton rows={3} label="Loading your salons" />}
      >
        {({ memberships }) => (
          <InSalon
            user={user}
            calendars={calendars}
            salons={memberships.filter(({ role }) => may(CalendarAccess.connectCalendar, role))}
          />
        )}
      </Reading>
      <Google />
      <Withdraw ofGoogle={calendars.some(isAtGoogle)} />
    </CardPage>
  );
}

/** Of which account the calendars at Google are, or the way to allow one. */
function Google() {
  const consents = useQuery(consentsQuery()).data?.consents ?? [];
  const google = consents.find(({ kind }) => kind === CalendarKind.GOOGLE);
  if (!google) return null;
  if (google.state !== ConsentState.GIVEN)
    return (
      <>
        {google.cleanup && <EndingConsent consent={google} cleanup={google.cleanup} />}
        <AskGoogle consent={google} />
      </>
    );
  return (
    <Muted fontSize="0.875rem" textAlign="center">
      Your account at Google is {google.account}. To use another one, withdraw access first.
    </Muted>
  );
}

function InSalon({ user, calendars, salons }: ChooseProps & { salons: readonly Membership[] }) {
  const [businessId, setBusinessId] = useState(salons[0]?.businessId ?? '');
  if (salons.length === 0) {
    return (
      <>
        <Text>You are not on the team of a salon yet, so there is no calendar to connect.</Text>
        <ButtonLink to={landingOf(user)} variant="contained">
          Go on
        </ButtonLink>
      </>
    );
  }
  return (
    <Stack gap="5">
      {salons.length > 1 && (
        <SelectField
          label="Salon"
          value={businessId}
          onChange={(event) => setBusinessId(event.currentTarget.value)}
        >
          {salons.map((salon) => (
            <option key={salon.businessId} value={salon.businessId}>
              {salon.businessName}
            </option>
          ))}
        </SelectField>
      )}
      <People key={businessId} businessId={businessId} calendars={calendars} />
      <WayOn user={user} />
    </Stack>
  );
}

type PeopleProps = Pick<ChooseProps, 'calendars'> & { businessId: string };

function People({ businessId, calendars }: PeopleProps) {
  const account = useQuery(meQuery());
  const me = account.data?.id;
  const employees = useQuery(employeesQuery(businessId));
  const connected = useQuery(calendarsQuery(businessId));
  const skeleton = <RowsSkeleton rows={2} label="Loading the team" />;
  // Who has none of these calendars is told so only once it is known who they are.
  if (!me) {
    return (
      <Reading query={account} what="Your account" skeleton={skeleton}>
        {() => skeleton}
      </Reading>
    );
  }
  return (
    <Reading query={employees} what="The team" skeleton={skeleton}>
      {({ employees }) => (
        <Reading
          query={connected}
          what="The connected calendars"
          skeleton={<RowsSkeleton rows={2} label="Loading connected calendars" />}
        >
          {({ calendars: known, mayConnectOthers }) => (
            <Assign
              businessId={businessId}
              calendars={calendars}
              own={employees.find(({ userId }) => userId === me)?.id ?? ''}
              mayConnectOthers={mayConnectOthers}
              people={employees
                .filter(({ userId }) => mayConnectOthers || userId === me)
                .map(({ id, name }) => ({
                  id,
                  name,
                  connected: known.filter(({ employeeId }) => employeeId === id).length,
                }))}
            />
          )}
        </Reading>
      )}
    </Reading>
  );
}

/** The first who has no calendar yet, else the first. */
const firstWithout = (people: readonly Person[]): string =>
  (people.find(({ connected }) => connected === 0) ?? people[0])?.id ?? '';

type Person = { id: string; name: string; connected: number };
type AssignProps = {
  businessId: string;
  calendars: readonly PersonCalendar[];
  /** The employee whom the signed-in person is, or empty. */
  own: string;
  people: readonly Person[];
  /** Whether they may connect calendars of others as well. */
  mayConnectOthers: boolean;
};

function Assign({ businessId, calendars, own, people, mayConnectOthers }: AssignProps) {
  const [calendarId, setCalendarId] = useState(calendars[0]?.id ?? '');
  const [employeeId, setEmployeeId] = useState(() => own || firstWithout(people));
  const navigate = useNavigate();
  const queries = useQueryClient();
  const done = {
    onDone: ({ calendar }: { calendar?: { id: string } | undefined }) => {
      void queries.invalidateQueries({ queryKey: calendarsQuery(businessId).queryKey });
      void navigate(paths.onboardingFlow(businessId, calendar?.id));
    },
  };
  const demo = useAction(CalendarService.method.connectCalendar, done);
  const google = useAction(CalendarService.method.connectGoogleCalendar, done);
  const running = demo.running || google.running;
  const calendar = calendars.find(({ id }) => id === calendarId);
  const person = people.find(({ id }) => id === employeeId);
  if (people.length === 0) {
    return mayConnectOthers ? (
      <>
        <Text>A calendar is an employee’s, and this salon has no employees yet. Add them first.</Text>
        <ButtonLink to={paths.details(businessId, 'team')} variant="contained">
          Add employees
        </ButtonLink>
      </>
    ) : (
      <Text>
        You are not on this salon’s team yet. When an owner adds you to the team, you can connect your
        calendar here.
      </Text>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!calendar || !person || running) return;
        if (isAtGoogle(calendar)) google.act({ businessId, employeeId, externalId: calendar.id });
        else demo.act({ businessId, employeeId, kind: CalendarKind.DEMO, name: calendar.name });
      }}
    >
      <Stack gap="5">
        <SelectField
          label="Calendar"
          value={calendarId}
          onChange={(event) => setCalendarId(event.currentTarget.value)}
        >
          {calendars.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Employee"
          value={employeeId}
          onChange={(event) => setEmployeeId(event.currentTarget.value)}
        >
          {people.map(({ id, name, connected }) => (
            <option key={id} value={id}>
              {name}
              {id === own ? ' (you)' : ''}
              {connected > 0 ? ' · has a calendar' : ''}
            </option>
          ))}
        </SelectField>
        <Refusal>{refusal(isAtGoogle(calendar) ? google.error : demo.error)}</Refusal>
        <Button type="submit" variant="contained" loading={running} width="100%">
          {person && person.connected > 0 ? 'Connect another calendar' : 'Connect'}
        </Button>
      </Stack>
    </form>
  );
}

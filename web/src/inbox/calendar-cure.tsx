import { useQuery } from '@tanstack/react-query';
import { may } from '../api/access';
import { employeesQuery, meQuery } from '../business/queries';
import { calendarsQuery } from '../calendars/queries';
import { ProviderConnectionAccess } from '../gen/access';
import { type Calendar, CalendarKind } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { Muted } from '../ui/text';

type CalendarCureProps = { businessId: string; calendar: Calendar; name: string; role: string };

/** Where what a calendar is read by can be put right, or who may do that. */
export function CalendarCure({ businessId, calendar, name, role }: CalendarCureProps) {
  const { kind, authorizationRequired, ownAccount, employeeId } = calendar;
  const hasSecret = kind === CalendarKind.CALDAV || kind === CalendarKind.ICS;
  const mayConnectOthers = useQuery(calendarsQuery(businessId)).data?.mayConnectOthers ?? false;
  const me = useQuery({ ...meQuery(), enabled: hasSecret && !mayConnectOthers }).data?.id;
  const employees = useQuery({ ...employeesQuery(businessId), enabled: hasSecret }).data?.employees ?? [];
  const isOwn = me !== undefined && employees.some(({ id, userId }) => id === employeeId && userId === me);
  if (authorizationRequired) {
    return ownAccount ? <TextLink to={paths.onboardingFlow()}>Allow access again</TextLink> : null;
  }
  if (hasSecret) {
    const secret = kind === CalendarKind.ICS ? 'address' : 'password';
    return mayConnectOthers || isOwn ? (
      <TextLink to={paths.details(businessId, 'integrations')}>Change its {secret}</TextLink>
    ) : (
      <Muted as="span">
        Its {secret} is changed by {name} or the owner.
      </Muted>
    );
  }
  if (kind !== CalendarKind.PROVIDER) return null;
  return may(ProviderConnectionAccess.rotateProviderToken, role) ? (
    <TextLink to={paths.providerCredentials(businessId)}>Connection to the booking system</TextLink>
  ) : (
    <Muted as="span">The connection to the booking system is the owner’s.</Muted>
  );
}

import { Box, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CalendarSync, CircleAlert } from 'lucide-react';
import { may } from '../api/access';
import { employeesQuery, meQuery } from '../business/queries';
import { useEmployeeNames } from '../business/use-employees';
import { CalendarAccess } from '../gen/access';
import {
  type Calendar,
  CalendarKind,
  type EndingCalendar,
} from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { ButtonLink, TextLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { Card } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { useNow } from '../ui/use-now';
import { ChangeSecret } from './change-secret';
import { Disconnect } from './disconnect';
import { EndingRow } from './ending-row';
import { calendarsQuery } from './queries';
import { hasUnread, isOutOfStep, isUnwritten } from './state';
import { ToldEndings } from './told-endings';
import {
  authorizationText,
  isOneOfSeveral,
  othersText,
  readText,
  shortfallText,
  unreadText,
} from './wording';

const MINUTE_MS = 60_000;
/** Of those that are in step; one that is not is never left out. */
const SHOWN = 3;

const needsLook = (calendar: Calendar): boolean =>
  isOutOfStep(calendar) || isUnwritten(calendar) || hasUnread(calendar);

function troubleText(calendar: Calendar): string {
  if (isOutOfStep(calendar)) return 'Not up to date';
  return isUnwritten(calendar) ? 'Not all is written to it' : 'Not all of it can be read';
}

/** When each calendar was last read, those that can't be before the others. */
export function CalendarsCard({
  businessId,
  role,
  zone,
  manage = false,
}: {
  businessId: string;
  role: string;
  zone: string;
  /** All of them, and each can be disconnected. */
  manage?: boolean;
}) {
  const allowed = may(CalendarAccess.listCalendars, role);
  const query = useQuery({ ...calendarsQuery(businessId), enabled: allowed });
  if (!allowed) return null;
  return (
    <Card
      title="Calendars"
      flush
      action={
        query.data?.calendars.length && may(CalendarAccess.connectCalendar, role) ? (
          <TextLink to={paths.onboardingFlow()}>Connect</TextLink>
        ) : null
      }
    >
      {query.data && <ToldEndings businessId={businessId} {...query.data} />}
      <Reading
        query={query}
        what="The calendars"
        skeleton={<RowsSkeleton rows={2} label="Loading calendars" />}
      >
        {({ calendars, ending, mayConnectOthers }) =>
          calendars.length + ending.length === 0 ? (
            <Empty
              icon={CalendarSync}
              title="No calendar is connected"
              action={
                may(CalendarAccess.connectCalendar, role) && (
                  <ButtonLink to={paths.onboardingFlow()}>Connect a calendar</ButtonLink>
                )
              }
            >
              Once one is, what employees enter there keeps their time free here.
            </Empty>
          ) : (
            <Calendars
              businessId={businessId}
              calendars={calendars}
              ending={ending}
              zone={zone}
              manage={
                manage && may(CalendarAccess.disconnectCalendar, role)
                  ? mayConnectOthers
                    ? 'all'
                    : 'own'
                  : undefined
              }
            />
          )
        }
      </Reading>
    </Card>
  );
}

type CalendarsProps = {
  businessId: string;
  calendars: Calendar[];
  ending: EndingCalendar[];
  zone: string;
  manage: 'all' | 'own' | undefined;
};

function Calendars({ businessId, calendars, ending, zone, manage }: CalendarsProps) {
  const now = useNow(MINUTE_MS);
  const me = useQuery({ ...meQuery(), enabled: manage === 'own' }).data?.id;
  const employees = useQuery(employeesQuery(businessId)).data?.employees ?? [];
  const names = useEmployeeNames(
    businessId,
    [...calendars, ...ending].map(({ employeeId }) => employeeId),
  );
  const nameOf = ({ employeeId, name }: Calendar) => names.get(employeeId) ?? name;
  const byName = [...calendars].sort((one, other) => nameOf(one).localeCompare(nameOf(other)));
  const failed = byName.filter(needsLook);
  const inStep = byName
    .filter((calendar) => !needsLook(calendar))
    .sort((one, other) => other.shortfallCount - one.shortfallCount);
  const shown = manage ? inStep : inStep.slice(0, SHOWN);
  const left = inStep.length - shown.length;
  const own = employees.find(({ userId }) => userId !== '' && userId === me)?.id;
  const mayRemove = ({ employeeId }: { employeeId: string }) =>
    manage === 'all' || (manage === 'own' && employeeId === own);
  return (
    <>
      <Box as="ul" listStyleType="none">
        {[...failed, ...shown].map((calendar) => (
          <Row
            key={calendar.id}
            businessId={businessId}
            calendar={calendar}
            name={nameOf(calendar)}
            isOneOfSeveral={isOneOfSeveral(calendar, calendars)}
            zone={zone}
            now={now}
            removable={mayRemove(calendar)}
          />
        ))}
        {ending.map((calendar) => (
          <EndingRow
            key={calendar.id}
            businessId={businessId}
            calendar={calendar}
            name={names.get(calendar.employeeId) ?? calendar.name}
            removable={calendar.kind !== CalendarKind.PROVIDER && mayRemove(calendar)}
          />
        ))}
      </Box>
      {left > 0 && (
        <Muted px={{ base: '4', sm: '6' }} py="2">
          {left === 1 ? 'One more is up to date.' : `${left} more are up to date.`}
        </Muted>
      )}
    </>
  );
}

type RowProps = {
  businessId: string;
  calendar: Calendar;
  name: string;
  /** Its employee has others as well: the name alone does not tell which it is, nor which one is not up to date. */
  isOneOfSeveral: boolean;
  zone: string;
  now: Date;
  removable: boolean;
};

function Row({ businessId, calendar, name, isOneOfSeveral, zone, now, removable }: RowProps) {
  const failed = needsLook(calendar);
  return (
    <Flex
      as="li"
      align="center"
      justify="space-between"
      columnGap="3"
      wrap="wrap"
      px={{ base: '4', sm: '6' }}
      py="2"
      minHeight="11"
    >
      <Flex gap="2" align="center" minWidth="0" flex="1 1 auto">
        {failed && (
          <Box color="bad.fg" flexShrink="0">
            <CircleAlert size={18} aria-hidden />
          </Box>
        )}
        <Text fontWeight="500" truncate>
          {name}
          {(isOneOfSeveral || (failed && !calendar.name.includes(name))) && (
            <Muted as="span" fontSize="0.875rem" fontWeight="400">
              {' '}
              · {calendar.name}
            </Muted>
          )}
        </Text>
      </Flex>
      {/* Together on a line of their own where the name leaves no room. */}
      <Flex align="center" justify="flex-end" gap="3" wrap="wrap" ms="auto">
        <Muted fontSize="0.875rem" textAlign="end">
          {failed ? (
            <TextLink to={paths.inbox(businessId)}>{troubleText(calendar)}</TextLink>
          ) : (
            readText(calendar, now)
          )}
        </Muted>
        {removable && <ChangeSecret businessId={businessId} calendar={calendar} name={name} />}
        {removable && <Disconnect businessId={businessId} calendar={calendar} name={name} />}
      </Flex>
      {calendar.authorizationRequired && (
        <Muted fontSize="0.875rem" flexBasis="100%">
          {authorizationText(calendar, name)}{' '}
          {calendar.ownAccount && <TextLink to={paths.onboardingFlow()}>Allow access again</TextLink>}
        </Muted>
      )}
      {calendar.isReadOnly && (
        <Muted fontSize="0.875rem" flexBasis="100%">
          Read from {calendar.shownAddress}. Appointments are not written there.
        </Muted>
      )}
      {!failed && calendar.shortfalls.length > 0 && (
        <Muted fontSize="0.875rem" flexBasis="100%">
          {calendar.shortfalls.map((shortfall) => shortfallText(shortfall, zone)).join(' ')}{' '}
          {othersText(calendar)}
        </Muted>
      )}
      {calendar.unreadCount > 0 && (
        <Muted fontSize="0.875rem" flexBasis="100%">
          {unreadText(calendar)}
        </Muted>
      )}
    </Flex>
  );
}

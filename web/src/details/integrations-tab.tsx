import { Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CloudOff, Scissors, UserX } from 'lucide-react';
import { may } from '../api/access';
import { employeesQuery } from '../business/queries';
import { CalendarsCard } from '../calendars/calendars-card';
import { ConnectCard } from '../calendars/connect-card';
import { calendarsQuery } from '../calendars/queries';
import {
  AppointmentExportAccess,
  AppointmentSyncAccess,
  CalendarAccess,
  CalendarFeedAccess,
  ProviderConnectionAccess,
  VoiceConnectionAccess,
} from '../gen/access';
import { messageOf } from '../http/errors';
import { ButtonLink, TextLink } from '../layout/links';
import { OnceRead } from '../layout/once-read';
import { paths } from '../paths';
import {
  unmappedPeopleText,
  unmappedServicesEffect,
  unmappedServicesText,
  unreadWhat,
  useUnmapped,
} from '../providers/unmapped';
import { Button } from '../ui/button';
import { Card, Surface } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Note } from '../ui/states';
import { Muted, ScreenReaderOnly } from '../ui/text';
import { AppointmentsFileCard } from './appointments-file-card';
import { FeedsCard } from './feeds-card';
import { voiceConnectionsQuery } from './queries';
import type { TabProps } from './tab-props';
import { VoiceCard } from './voice-card';

/** Who is new in the booking system, where their time is not kept free yet, and which services lack there. */
function UnmappedNotes({ businessId }: { businessId: string }) {
  const { unmapped, unread } = useUnmapped(businessId, true);
  return (
    <>
      {unmapped
        .filter(({ people }) => people.length > 0)
        .map((one) => (
          <Note key={one.id} tone="warn" icon={UserX}>
            {unmappedPeopleText(one)}.{' '}
            <TextLink to={paths.providerSync(businessId)}>Say who they are</TextLink>
          </Note>
        ))}
      {unmapped
        .filter(({ services }) => services.length > 0)
        .map((one) => (
          <Note key={one.id} tone="warn" icon={Scissors}>
            {unmappedServicesText(one)}. {unmappedServicesEffect(one.connection, one.services.length)}{' '}
            <TextLink to={paths.providerSync(businessId)}>Map the services</TextLink>
          </Note>
        ))}
      {unread.map(({ id, connection, query }) => (
        <Note
          key={id}
          tone="warn"
          icon={CloudOff}
          action={
            <Button loading={query.isFetching} onClick={() => void query.refetch()}>
              Try again
              <ScreenReaderOnly>: {connection.label}</ScreenReaderOnly>
            </Button>
          }
        >
          {unreadWhat(connection)} can’t be read just now. {messageOf(query.error)}
        </Note>
      ))}
    </>
  );
}

/** What the business is connected with. */
export function IntegrationsTab({ businessId, role, zone }: TabProps) {
  const voiced = may(VoiceConnectionAccess.listVoiceConnections, role);
  const voice = useQuery({ ...voiceConnectionsQuery(businessId), enabled: voiced });
  const calendars = useQuery({
    ...calendarsQuery(businessId),
    enabled: may(CalendarAccess.listCalendars, role),
  });
  const employees = useQuery(employeesQuery(businessId));
  return (
    <Stack gap="6">
      {voiced && <VoiceCard businessId={businessId} />}
      <OnceRead
        queries={[voice, calendars, employees]}
        skeleton={
          voiced ? null : (
            <Surface>
              <RowsSkeleton label="Loading calendars" />
            </Surface>
          )
        }
      >
        <CalendarsCard businessId={businessId} role={role} zone={zone} manage />
        {may(AppointmentSyncAccess.listAppointmentSync, role) && (
          <Muted>
            See{' '}
            <TextLink to={paths.appointmentSync(businessId)}>
              whether each appointment reached its calendar
            </TextLink>
            , and{' '}
            <TextLink to={paths.consistency(businessId)}>whether the book and the calendars agree</TextLink>.
          </Muted>
        )}
        <ConnectCard businessId={businessId} role={role} />
        {may(CalendarFeedAccess.makeCalendarFeed, role) && <FeedsCard businessId={businessId} zone={zone} />}
        {may(AppointmentExportAccess.beginAppointmentExport, role) && (
          <AppointmentsFileCard businessId={businessId} zone={zone} />
        )}
        {may(ProviderConnectionAccess.listProviderConnections, role) && (
          <Card title="Booking system">
            <Stack gap="4">
              <Muted>
                If the salon keeps a book in another system, such as Square or Phorest, Frontdesk keeps both
                in step.
              </Muted>
              <UnmappedNotes businessId={businessId} />
              <Flex gap="2" wrap="wrap">
                <ButtonLink to={paths.providerCredentials(businessId)}>Connection</ButtonLink>
                <ButtonLink to={paths.providerSync(businessId)}>What was read, and who is who</ButtonLink>
                <ButtonLink to={paths.providerAvailability(businessId)}>Compare availability</ButtonLink>
              </Flex>
            </Stack>
          </Card>
        )}
        <Muted>
          Each person <TextLink to={paths.onboardingFlow()}>connects their own Google Calendar</TextLink>, if
          an administrator has set Google Calendar up. Microsoft 365 can’t be connected, as it has no CalDAV
          server. A calendar that is published there can be read by its address.
        </Muted>
      </OnceRead>
    </Stack>
  );
}

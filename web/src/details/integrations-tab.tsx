import { Stack } from '@chakra-ui/react';
import { may } from '../api/access';
import { CaldavCard } from '../calendars/caldav-card';
import { CalendarsCard } from '../calendars/calendars-card';
import {
  AppointmentSyncAccess,
  CalendarFeedAccess,
  ProviderConnectionAccess,
  VoiceConnectionAccess,
} from '../gen/access';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { Muted } from '../ui/text';
import { FeedsCard } from './feeds-card';
import type { TabProps } from './tab-props';
import { VoiceCard } from './voice-card';

/** What the business is connected with. */
export function IntegrationsTab({ businessId, role, zone }: TabProps) {
  return (
    <Stack gap="6">
      {may(VoiceConnectionAccess.listVoiceConnections, role) && <VoiceCard businessId={businessId} />}
      <CalendarsCard businessId={businessId} role={role} zone={zone} manage />
      {may(AppointmentSyncAccess.listAppointmentSync, role) && (
        <Muted>
          <TextLink to={paths.appointmentSync(businessId)}>How each appointment is in the calendars</TextLink>
          , and{' '}
          <TextLink to={paths.consistency(businessId)}>
            whether the book and the calendars say the same
          </TextLink>
          .
        </Muted>
      )}
      <CaldavCard businessId={businessId} role={role} />
      {may(CalendarFeedAccess.makeCalendarFeed, role) && <FeedsCard businessId={businessId} zone={zone} />}
      {may(ProviderConnectionAccess.listProviderConnections, role) && (
        <Muted>
          The salon’s own booking system:{' '}
          <TextLink to={paths.providerCredentials(businessId)}>its connection</TextLink>,{' '}
          <TextLink to={paths.providerSync(businessId)}>what is read of it and who is who</TextLink>, and{' '}
          <TextLink to={paths.providerAvailability(businessId)}>both sides’ free time</TextLink>.
        </Muted>
      )}
      <Muted>
        Where this installation offers Google Calendar, each person connects their own in{' '}
        <TextLink to={paths.onboardingFlow()}>the guide</TextLink>. Microsoft 365 is not supported: it has no
        CalDAV server.
      </Muted>
    </Stack>
  );
}

import { Stack } from '@chakra-ui/react';
import { may } from '../api/access';
import { CalendarsCard } from '../calendars/calendars-card';
import { VoiceConnectionAccess } from '../gen/access';
import { Muted } from '../ui/text';
import type { TabProps } from './details-page';
import { VoiceCard } from './voice-card';

/** What the business is connected with. */
export function IntegrationsTab({ businessId, role, zone }: TabProps) {
  return (
    <Stack gap="6">
      {may(VoiceConnectionAccess.listVoiceConnections, role) && <VoiceCard businessId={businessId} />}
      <CalendarsCard businessId={businessId} role={role} zone={zone} />
      <Muted>Calendars of Google and of other providers cannot be connected from this screen yet.</Muted>
    </Stack>
  );
}

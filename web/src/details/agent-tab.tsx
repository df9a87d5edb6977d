import { Grid, Stack } from '@chakra-ui/react';
import {
  CalendarClock,
  CalendarSearch,
  Hand,
  ListChecks,
  type LucideIcon,
  MessageSquare,
  UserPlus,
  UserSearch,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { may } from '../api/access';
import { AgentSettingsAccess, MatchingAccess, VoiceConnectionAccess } from '../gen/access';
import { ButtonLink, TextLink } from '../layout/links';
import { paths } from '../paths';
import { Card } from '../ui/card';
import { Muted, Text } from '../ui/text';
import type { TabProps } from './tab-props';

/** The tools that the voice door serves. */
const DEEDS: readonly (readonly [LucideIcon, string, string])[] = [
  [UserSearch, 'Knows who calls', 'By the number, and it asks where several people share one.'],
  [UserPlus, 'Adds a new customer', 'With the name the caller gives.'],
  [ListChecks, 'Says what you offer', 'Services, their lengths and prices, as they are under Services.'],
  [CalendarSearch, 'Finds a free time', 'From the same book as this screen, at the moment of the call.'],
  [Hand, 'Holds it while the caller decides', 'For a few minutes, so that no one else takes it.'],
  [CalendarClock, 'Books, moves and cancels visits', 'They are in the schedule before the call ends.'],
  [
    MessageSquare,
    'Takes a message, or passes the caller on',
    'Messages are in the inbox. Callers are put through if the agent has a number for it.',
  ],
];

/** What the agent does on the telephone today, and where that is changed. */
export function AgentTab({ businessId, role }: TabProps) {
  return (
    <Grid
      gap="6"
      alignItems="start"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' }}
    >
      <Card title="In a call, the agent">
        <Stack as="ul" gap="4" listStyleType="none">
          {DEEDS.map(([Icon, title, text]) => (
            <Grid as="li" key={title} gridTemplateColumns="auto 1fr" gap="3">
              <Icon size={20} aria-hidden />
              <Stack gap="0">
                <Text fontWeight="600">{title}</Text>
                <Muted>{text}</Muted>
              </Stack>
            </Grid>
          ))}
        </Stack>
      </Card>
      <Card
        title="Where to change it"
        action={
          may(AgentSettingsAccess.getAgentSettings, role) && (
            <ButtonLink to={paths.agent(businessId)}>Agent settings</ButtonLink>
          )
        }
      >
        <Stack gap="4">
          {may(AgentSettingsAccess.getAgentSettings, role) && (
            <Place title="How it speaks, and what it may do">
              Greeting, prompt, languages and switches are under Agent settings, where you try the agent and
              publish it.
            </Place>
          )}
          <Place title="What it offers">
            <TextLink to={paths.services(businessId)}>Services</TextLink>, with the words callers use for
            them.
          </Place>
          {may(MatchingAccess.listUnmatchedPhrases, role) && (
            <Place title="What it did not understand">
              Phrases it heard and could not match are under{' '}
              <TextLink to={paths.intelligence(businessId)}>Intelligence</TextLink>.
            </Place>
          )}
          <Place title="When it offers time">
            <TextLink to={paths.details(businessId, 'hours')}>Hours</TextLink>, closures and booking rules.
          </Place>
          <Place title="What it did">
            Every call with what was said is under <TextLink to={paths.calls(businessId)}>Calls</TextLink>.
          </Place>
          {may(VoiceConnectionAccess.listVoiceConnections, role) && (
            <Place title="Which platform answers, and in which voice">
              Under <TextLink to={paths.details(businessId, 'integrations')}>Integrations</TextLink>.
            </Place>
          )}
        </Stack>
      </Card>
    </Grid>
  );
}

function Place({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="0">
      <Text fontWeight="600">{title}</Text>
      <Muted as="div">{children}</Muted>
    </Stack>
  );
}

import { Grid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { Allowed } from '../business/allowed';
import { useZone } from '../business/use-zone';
import { agentPublicationsQuery } from '../details/queries';
import { VoiceCard } from '../details/voice-card';
import { AgentSettingsAccess } from '../gen/access';
import { OnceRead } from '../layout/once-read';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { PageSkeleton } from '../layout/skeletons';
import { isId } from '../paths';
import { ZoneNote } from '../time/zone-note';
import { ChatCard } from './chat/chat-card';
import { Draft } from './draft-card';
import { PlatformsCard } from './platforms/platforms-card';
import { Published } from './published';
import { agentQuery } from './queries';
import { ReplayCard } from './replay/replay-card';
import { Versions } from './versions';

/** How a business's agent speaks and what it may do: for its owner, and for administrators. */
export function Component() {
  const { businessId = '' } = useParams();
  return (
    <Allowed
      businessId={businessId}
      least={AgentSettingsAccess.getAgentSettings}
      waiting={<PageSkeleton kind="businessDetail" />}
    >
      {() => <Settings key={businessId} businessId={businessId} />}
    </Allowed>
  );
}

function Settings({ businessId }: { businessId: string }) {
  const zone = useZone(businessId);
  const query = useQuery(agentQuery(businessId));
  const publications = useQuery(agentPublicationsQuery(businessId));
  const [search, setSearch] = useSearchParams();
  const replayed = search.get('replay') ?? '';
  const [unsaved, setUnsaved] = useState(false);
  return (
    <Page
      title="Agent settings"
      lead="How the agent speaks and what it may do. Callers hear what you publish once it has reached their platform."
      action={<ZoneNote zone={zone} />}
    >
      <Reading
        query={query}
        what="The agent’s settings"
        framed
        missingIsPage
        skeleton={<PageSkeleton kind="businessDetail" />}
      >
        {(told) =>
          told.draft &&
          told.published && (
            <Stack gap="6">
              {isId(replayed) && (
                <ReplayCard
                  key={replayed}
                  businessId={businessId}
                  callId={replayed}
                  zone={zone}
                  onClose={() => setSearch({}, { replace: true })}
                />
              )}
              <Grid
                gap="6"
                alignItems="start"
                gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 3fr) minmax(0, 2fr)' }}
              >
                <Stack gap="6" minWidth="0">
                  <Draft
                    businessId={businessId}
                    draft={told.draft}
                    revision={told.revision}
                    unsaved={unsaved}
                    onUnsaved={setUnsaved}
                  />
                  <VoiceCard businessId={businessId} />
                </Stack>
                <Stack gap="6" minWidth="0">
                  <Published businessId={businessId} told={told} zone={zone} unsaved={unsaved} />
                  <PlatformsCard businessId={businessId} zone={zone} />
                  <OnceRead queries={[publications]} skeleton={null}>
                    <ChatCard businessId={businessId} told={told} />
                    <Versions
                      businessId={businessId}
                      zone={zone}
                      published={told.published.version}
                      draft={{ revision: told.revision, isAhead: told.hasChanges || unsaved }}
                    />
                  </OnceRead>
                </Stack>
              </Grid>
            </Stack>
          )
        }
      </Reading>
    </Page>
  );
}

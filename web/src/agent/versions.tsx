import { Flex, Stack } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useState } from 'react';
import { actorName } from '../business/actor-name';
import { meQuery } from '../business/queries';
import { useEmployeesOnRecord } from '../business/use-employees';
import type { AgentVersion } from '../gen/frontdesk/tenancy/v1/agent_settings_pb';
import { Reading } from '../layout/reading';
import { memberPages } from '../members/queries';
import { dateAndTime, moment } from '../time/zoned';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { LongList } from '../ui/long-list';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { Changes } from './changes';
import { PublishAgain, type SeenDraft } from './publish-again';
import { agentVersionPages } from './queries';

const ROW_HEIGHT = 133;

type VersionsProps = { businessId: string; zone: string; published: number; draft: SeenDraft };

/** What was published before, and the way back to it. */
export function Versions({ businessId, zone, published, draft }: VersionsProps) {
  const query = useInfiniteQuery(agentVersionPages(businessId));
  return (
    <Card title="Versions" flush>
      <Reading
        query={query}
        what="The versions"
        skeleton={<RowsSkeleton rows={2} label="Loading versions" />}
      >
        {({ pages }) => {
          const versions = pages.flatMap((page) => page.versions);
          return versions.length === 0 ? (
            <Empty icon={History} title="No version yet">
              Each time the draft is published, its version appears here.
            </Empty>
          ) : (
            <LongList
              label="Versions"
              items={versions}
              keyOf={({ version }) => String(version)}
              rowHeight={ROW_HEIGHT}
            >
              {(version) => (
                <Version
                  businessId={businessId}
                  version={version}
                  zone={zone}
                  current={version.version === published}
                  draft={draft}
                />
              )}
            </LongList>
          );
        }}
      </Reading>
      {query.hasNextPage && (
        <Flex justify="center" py="3">
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load earlier versions
          </Button>
        </Flex>
      )}
    </Card>
  );
}

type VersionProps = {
  businessId: string;
  version: AgentVersion;
  zone: string;
  current: boolean;
  draft: SeenDraft;
};

function Version({ businessId, version, zone, current, draft }: VersionProps) {
  const [comparing, setComparing] = useState(false);
  const me = useQuery(meQuery()).data?.id ?? '';
  const employees = useEmployeesOnRecord(businessId);
  // Owners publish, and many of them are no employees.
  const members = useInfiniteQuery(memberPages(businessId)).data?.pages.flatMap((page) => page.members) ?? [];
  const at = moment(version.publishedAt);
  const number = version.version;
  return (
    <Stack gap="2" px={{ base: '4', sm: '6' }} py="3" borderTop="1px solid" borderColor="line">
      <Flex gap="3" align="center" wrap="wrap">
        <Text fontWeight="600">Version {number}</Text>
        {current && <Badge tone="good">Live</Badge>}
        {version.rolledBackTo > 0 && <Muted as="span">as version {version.rolledBackTo}</Muted>}
      </Flex>
      <Muted>
        {actorName(version.publishedBy, [...employees, ...members], me)}
        {at && `, ${dateAndTime(at, zone)}`}
      </Muted>
      <Flex gap="2" wrap="wrap">
        <Button variant="quiet" aria-expanded={comparing} onClick={() => setComparing(!comparing)}>
          {comparing ? 'Hide changes' : 'Show changes'}
          <ScreenReaderOnly> of version {number}</ScreenReaderOnly>
        </Button>
        {!current && <PublishAgain businessId={businessId} version={number} draft={draft} />}
      </Flex>
      {comparing && <Changes businessId={businessId} from={number - 1} to={number} />}
    </Stack>
  );
}

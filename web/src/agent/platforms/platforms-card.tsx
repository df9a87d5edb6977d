import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RadioTower } from 'lucide-react';
import { useAction } from '../../api/action';
import { agentPublicationsQuery } from '../../details/queries';
import { voicePlatform } from '../../details/webhook';
import {
  type AgentPublication,
  AgentPublicationService,
  AgentPublicationState as State,
} from '../../gen/frontdesk/tenancy/v1/agent_publication_pb';
import { messageOf } from '../../http/errors';
import { Reading } from '../../layout/reading';
import { agentSpeaks } from '../../runtime';
import { dateAndTime, moment } from '../../time/zoned';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card, CardRow } from '../../ui/card';
import { RowsSkeleton } from '../../ui/skeleton';
import { Empty, Refusal } from '../../ui/states';
import { Muted, ScreenReaderOnly, Text } from '../../ui/text';
import { callCheckErrorText, callCheckText, unreadCallsText } from './call-check-text';
import { publicationErrorText, publicationText } from './publication-text';

/** What the voice platforms have of the published agent. */
export function PlatformsCard({ businessId, zone }: { businessId: string; zone: string }) {
  const query = useQuery(agentPublicationsQuery(businessId));
  return (
    <Card title="On the platforms" flush>
      <Reading
        query={query}
        what="What the platforms have"
        skeleton={<RowsSkeleton rows={2} label="Loading what the platforms have" />}
      >
        {({ agentPublications }) =>
          agentPublications.length === 0 ? (
            <Empty icon={RadioTower} title="No platform is connected yet">
              Connect one under Voice platform. Frontdesk then sends there what you publish.
            </Empty>
          ) : (
            <Box as="ul" aria-label="On the platforms" listStyleType="none">
              {agentPublications.map((publication) => (
                <Row
                  key={publication.voiceConnectionId}
                  businessId={businessId}
                  publication={publication}
                  zone={zone}
                />
              ))}
            </Box>
          )
        }
      </Reading>
    </Card>
  );
}

type RowProps = { businessId: string; publication: AgentPublication; zone: string };

function Row({ businessId, publication, zone }: RowProps) {
  const platform = voicePlatform(publication.platform).name;
  const { label, tone, text } = publicationText(publication, platform, agentSpeaks());
  const { error, callCheck } = publication;
  const again = moment(error?.nextAttemptAt);
  return (
    <CardRow direction="column" py="4">
      <Flex gap="3" align="center" justify="space-between" wrap="wrap">
        <Stack gap="0">
          <Text fontWeight="600">{publication.label}</Text>
          <Muted>{platform}</Muted>
        </Stack>
        <Badge tone={tone}>{label}</Badge>
      </Flex>
      {text && <Text>{text}</Text>}
      {error && (
        <Text>
          {publicationErrorText(error, platform)}
          {again && ` It is tried again at ${dateAndTime(again, zone)}.`}
        </Text>
      )}
      <Times publication={publication} zone={zone} />
      {callCheck && <Muted>{callCheckText(callCheck, platform, zone)}</Muted>}
      {callCheck && unreadCallsText(callCheck, platform) && (
        <Text>{unreadCallsText(callCheck, platform)}</Text>
      )}
      {callCheck?.error && <Text>{callCheckErrorText(callCheck.error, platform)}</Text>}
      <Orders businessId={businessId} publication={publication} />
    </CardRow>
  );
}

function Times({ publication, zone }: { publication: AgentPublication; zone: string }) {
  const live = moment(publication.liveAt);
  const checked = moment(publication.checkedAt);
  if (!live) return null;
  return (
    <Muted>
      Version {publication.liveVersion} since {dateAndTime(live, zone)}
      {checked && `, last compared ${dateAndTime(checked, zone)}`}.
    </Muted>
  );
}

/** What can be ordered at a platform: nothing that must fail. */
function Orders({ businessId, publication }: { businessId: string; publication: AgentPublication }) {
  const queries = useQueryClient();
  const onDone = () =>
    void queries.invalidateQueries({ queryKey: agentPublicationsQuery(businessId).queryKey });
  const publish = useAction(AgentPublicationService.method.publishToPlatform, { onDone });
  const check = useAction(AgentPublicationService.method.checkAgentPublication, { onDone });
  const { voiceConnectionId, label, state, checking } = publication;
  if (state !== State.LIVE && state !== State.FAILED && state !== State.WAITING) return null;
  const order = { businessId, voiceConnectionId };
  const refused = publish.error ?? check.error;
  return (
    <>
      <Flex gap="2" wrap="wrap">
        <Button loading={publish.running} onClick={() => publish.act(order)}>
          {state === State.WAITING ? 'Try now' : 'Publish again'}
          <ScreenReaderOnly> over {label}</ScreenReaderOnly>
        </Button>
        {publication.liveVersion > 0 && (
          <Button variant="quiet" loading={check.running || checking} onClick={() => check.act(order)}>
            Compare now
            <ScreenReaderOnly> what {label} has</ScreenReaderOnly>
          </Button>
        )}
      </Flex>
      <Refusal>{refused && messageOf(refused, 'That could not be ordered.')}</Refusal>
    </>
  );
}

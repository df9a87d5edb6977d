import { Flex, Stack } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { agentPublicationsQuery } from '../details/queries';
import {
  AgentSettingsService,
  type GetAgentSettingsResponse,
} from '../gen/frontdesk/tenancy/v1/agent_settings_pb';
import { messageOf } from '../http/errors';
import { dateAndTime, moment } from '../time/zoned';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Refusal } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { Changes } from './changes';
import { agentQuery, agentVersionPages, DRAFT } from './queries';

type PublishedProps = {
  businessId: string;
  told: GetAgentSettingsResponse;
  zone: string;
  /** The form has changes that the draft lacks. */
  unsaved: boolean;
};

/** What is published, and how the draft differs from it. */
export function Published({ businessId, told, zone, unsaved }: PublishedProps) {
  const queries = useQueryClient();
  const [comparing, setComparing] = useState(false);
  const { act, running, error } = useAction(AgentSettingsService.method.publishAgentSettings, {
    onDone: ({ published }) => {
      setComparing(false);
      void queries.invalidateQueries({ queryKey: agentQuery(businessId).queryKey });
      void queries.invalidateQueries({ queryKey: agentVersionPages(businessId).queryKey });
      void queries.invalidateQueries({ queryKey: agentPublicationsQuery(businessId).queryKey });
      toasts.show('good', `Published version ${published?.version}.`);
    },
  });
  const { published, hasChanges, revision } = told;
  if (!published) return null;
  const isFirst = published.version === 0;
  const at = moment(published.publishedAt);
  return (
    <Card title="Published">
      <Stack gap="4">
        <Text>
          {isFirst
            ? 'Nothing is published yet. Publish the draft once it says what you want.'
            : `Version ${published.version} is published${at ? `, since ${dateAndTime(at, zone)}` : ''}.`}
        </Text>
        {unsaved ? (
          <Muted>Save the draft before you publish it.</Muted>
        ) : hasChanges || isFirst ? (
          <>
            <Flex gap="3" wrap="wrap">
              <Button variant="contained" loading={running} onClick={() => act({ businessId, revision })}>
                Publish the draft
              </Button>
              {hasChanges && (
                <Button aria-expanded={comparing} onClick={() => setComparing(!comparing)}>
                  {comparing ? 'Hide what changes' : 'Show what changes'}
                </Button>
              )}
            </Flex>
            {comparing && <Changes businessId={businessId} from={published.version} to={DRAFT} />}
          </>
        ) : (
          <Muted>The draft says the same.</Muted>
        )}
        <Refusal>{error && messageOf(error, 'The draft could not be published.')}</Refusal>
      </Stack>
    </Card>
  );
}

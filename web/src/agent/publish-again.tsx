import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { agentPublicationsQuery } from '../details/queries';
import { AgentSettingsService } from '../gen/frontdesk/tenancy/v1/agent_settings_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/dialog';
import { ScreenReaderOnly, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { agentQuery, agentVersionPages } from './queries';

export type SeenDraft = {
  revision: bigint;
  /** It says, or the form does, what is not published. */
  isAhead: boolean;
};

type PublishAgainProps = { businessId: string; version: number; draft: SeenDraft };

/** Publishes an earlier version again; asks first where the draft has what would be lost with it. */
export function PublishAgain({ businessId, version, draft }: PublishAgainProps) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const read = () => {
    void queries.invalidateQueries({ queryKey: agentQuery(businessId).queryKey });
    void queries.invalidateQueries({ queryKey: agentVersionPages(businessId).queryKey });
    void queries.invalidateQueries({ queryKey: agentPublicationsQuery(businessId).queryKey });
  };
  const { act, running, error } = useAction(AgentSettingsService.method.rollBackAgentSettings, {
    onDone: ({ published }) => {
      setAsking(false);
      read();
      toasts.show('good', `Version ${version} is published again, as version ${published?.version}.`);
    },
    onRefused: (refusal) => {
      read();
      if (!asking) toasts.show('bad', messageOf(refusal, 'The version could not be published again.'));
    },
  });
  const publish = () => act({ businessId, version: String(version), revision: draft.revision });
  return (
    <>
      <Button variant="quiet" loading={running} onClick={draft.isAhead ? () => setAsking(true) : publish}>
        Publish again
        <ScreenReaderOnly>: version {version}</ScreenReaderOnly>
      </Button>
      {asking && (
        <ConfirmDialog
          title={`Publish version ${version} again?`}
          confirm="Replace the draft"
          keep="Keep the draft"
          running={running}
          refused={error && messageOf(error, 'The version could not be published again.')}
          onConfirm={publish}
          onClose={() => setAsking(false)}
        >
          <Text>
            The draft has changes that were never published. It becomes the same as version {version}, and
            they are lost.
          </Text>
        </ConfirmDialog>
      )}
    </>
  );
}

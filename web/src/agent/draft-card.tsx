import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import type { AgentSettings } from '../gen/frontdesk/tenancy/v1/agent_settings_pb';
import { Button } from '../ui/button';
import { Note } from '../ui/states';
import { AgentForm } from './agent-form';

type DraftProps = {
  businessId: string;
  draft: AgentSettings;
  revision: bigint;
  unsaved: boolean;
  onUnsaved: (unsaved: boolean) => void;
};

/** The form of the draft. While it has changes of its own, another draft that was saved meanwhile does not take its place. */
export function Draft({ businessId, draft, revision, unsaved, onUnsaved }: DraftProps) {
  const [shown, setShown] = useState({ draft, revision });
  const changedSince = shown.revision !== revision;
  if (changedSince && !unsaved) setShown({ draft, revision });
  return (
    <>
      {changedSince && unsaved && (
        <Note
          tone="warn"
          icon={CircleAlert}
          role="alert"
          action={<Button onClick={() => setShown({ draft, revision })}>Show the new draft</Button>}
        >
          The draft was changed since you opened it, so yours can’t be saved. Copy what you want to keep
          before you show the new one.
        </Note>
      )}
      <AgentForm
        key={String(shown.revision)}
        businessId={businessId}
        draft={shown.draft}
        revision={shown.revision}
        savedSince={changedSince ? draft : undefined}
        onUnsaved={onUnsaved}
        onSaved={(saved, next) => setShown({ draft: saved, revision: next })}
      />
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Merge } from 'lucide-react';
import { useState } from 'react';
import { moment } from '../time/zoned';
import { Button } from '../ui/button';
import { Note } from '../ui/states';
import { toasts } from '../ui/toasts';
import { useNow } from '../ui/use-now';
import { mergesQuery } from './queries';
import { undoMerge } from './undo-merge';

const LOOK_MS = 15_000;

/** Who was just made part of this customer, while that can be undone. */
export function MergesNote({ businessId, customerId }: { businessId: string; customerId: string }) {
  const now = useNow(LOOK_MS);
  const [undoing, setUndoing] = useState(false);
  const merges = useQuery(mergesQuery(businessId, customerId)).data?.merges ?? [];
  const merge = merges.find(({ undoneAt, undoableUntil }) => {
    const until = moment(undoableUntil);
    return !undoneAt && until !== null && until > now;
  });
  if (!merge) return null;
  const undo = async () => {
    setUndoing(true);
    const { tone, text } = await undoMerge(businessId, merge)(crypto.randomUUID());
    toasts.show(tone, text);
    setUndoing(false);
  };
  return (
    <Note
      tone="info"
      icon={Merge}
      action={
        <Button loading={undoing} onClick={() => void undo()}>
          Undo merge
        </Button>
      }
    >
      {merge.mergedName} was merged into this customer.
    </Note>
  );
}

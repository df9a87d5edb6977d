import type { UseQueryResult } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { Note } from '../ui/states';

type NotReadProps = { what: string; query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'> };

/** What can't be told beside something else, and a way to try again. */
export function NotRead({ what, query }: NotReadProps) {
  return (
    <Note
      tone="warn"
      icon={TriangleAlert}
      action={
        <Button loading={query.isFetching} onClick={() => void query.refetch()}>
          Try again
        </Button>
      }
    >
      {what} can’t be shown. {messageOf(query.error)}
    </Note>
  );
}

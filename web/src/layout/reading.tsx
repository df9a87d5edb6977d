import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { isForbidden, isNotFound, messageOf } from '../http/errors';
import { Surface } from '../ui/card';
import { Failed, Note } from '../ui/states';
import { AccessRestricted } from './access-restricted';
import { NotFound } from './not-found';
import { useRetryFailed } from './use-retry-failed';

type ReadingProps<T> = {
  query: UseQueryResult<T> | UseInfiniteQueryResult<T>;
  skeleton: ReactNode;
  /** What could not be shown: "The calls". */
  what: string;
  /** It stands on the page itself: its failure has a card of its own. */
  framed?: boolean;
  /** On a record's own page a missing record is the whole answer. */
  missingIsPage?: boolean;
  /** Without it the page has no heading: its failure is one. */
  page?: boolean;
  children: (data: T) => ReactNode;
};

/** Renders a query's states: loading, failed, missing, loaded. */
export function Reading<T>(props: ReadingProps<T>) {
  const { query, skeleton, what, framed = false, missingIsPage = false, page, children } = props;
  const { data, error, isFetching, refetch } = query;
  const retryFailed = useRetryFailed();
  if (data !== undefined) {
    if (!error) return children(data);
    return (
      <>
        <Note tone="warn" icon={CloudOff}>
          {messageOf(error)} What you see may be out of date.
        </Note>
        {children(data)}
      </>
    );
  }
  if (!error) return skeleton;
  if (missingIsPage && isNotFound(error)) return <NotFound />;
  if (missingIsPage && isForbidden(error)) return <AccessRestricted signedIn />;
  const failed = (
    <Failed
      title={`${what} can’t be shown`}
      message={messageOf(error)}
      onRetry={() => {
        void refetch();
        retryFailed();
      }}
      retrying={isFetching}
      page={page}
    />
  );
  return framed ? <Surface>{failed}</Surface> : failed;
}

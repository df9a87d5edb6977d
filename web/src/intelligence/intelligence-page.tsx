import { type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs, useParams } from 'react-router';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { openingHoursQuery } from '../business/queries';
import { isId } from '../paths';
import { CatalogueTabs } from '../services/catalogue-tabs';
import { servicePages } from '../services/queries';
import { Intelligence } from './intelligence';
import { phrasePages } from './queries';

export function loader({ params: { businessId } }: LoaderFunctionArgs) {
  if (!isId(businessId)) return null;
  return warm(() => [
    queries.prefetchInfiniteQuery(servicePages(businessId)),
    queries.prefetchInfiniteQuery(phrasePages(businessId, false)),
    queries.prefetchQuery(openingHoursQuery(businessId)),
  ]);
}

/** Other dates of the same business wait for nothing: their own reads say how far they are. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname !== nextUrl.pathname;
}

export function Component() {
  const { businessId = '' } = useParams();
  return (
    <Intelligence
      key={businessId}
      businessId={businessId}
      above={(role) => <CatalogueTabs businessId={businessId} role={role} current="Intelligence" />}
    />
  );
}

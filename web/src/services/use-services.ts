import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { servicePages } from './queries';

/** Every service of a business, for choices and names: page after page until all are there. */
export function useServices(businessId: string) {
  const query = useInfiniteQuery({ ...servicePages(businessId), enabled: businessId !== '' });
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  return query;
}

export const namesOf = (services: Service[]): Map<string, string> =>
  new Map(services.map(({ id, name }) => [id, name]));

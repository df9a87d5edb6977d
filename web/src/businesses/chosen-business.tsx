import { Box } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Store } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { messageOf } from '../api/errors';
import { isId } from '../paths';
import { Surface } from '../ui/card';
import { SelectField } from '../ui/select-field';
import { Empty, Failed } from '../ui/states';
import { allBusinessesPages, useBusinessRole } from './queries';

export type BusinessHere = { businessId: string; role: string | undefined };

/** The business a page is about: of its address for its own people, of `?business=` for an administrator. */
export function useBusinessHere(): BusinessHere & { chosen: boolean } {
  const { businessId: ofPath } = useParams();
  const [search] = useSearchParams();
  const wanted = ofPath ?? search.get('business') ?? '';
  const businessId = isId(wanted) ? wanted : '';
  const here = useBusinessRole(businessId);
  const role = businessId && here.kind === 'member' ? here.role : undefined;
  return { businessId, role, chosen: ofPath === undefined };
}

/** An administrator's choice of the business, and the page once one is chosen. */
export function ChosenBusiness({ children }: { children: ReactNode }) {
  const { businessId, chosen } = useBusinessHere();
  if (!chosen) return children;
  return (
    <>
      <BusinessChoice />
      {businessId ? (
        children
      ) : (
        <Surface>
          <Empty icon={Store} title="Choose a business">
            Then you see what its own people see.
          </Empty>
        </Surface>
      )}
    </>
  );
}

function BusinessChoice() {
  const [search, setSearch] = useSearchParams();
  const query = useInfiniteQuery(allBusinessesPages());
  const { data, error, refetch, isFetching, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !error) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, error, fetchNextPage]);
  if (error && !data) {
    return (
      <Failed
        title="The businesses can’t be shown"
        message={messageOf(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  }
  const businesses = data?.pages.flatMap((page) => page.businesses) ?? [];
  return (
    <Box maxWidth="24rem">
      <SelectField
        label="Business"
        value={search.get('business') ?? ''}
        // Filters are about the business before.
        onChange={(event) => setSearch(event.target.value ? { business: event.target.value } : {})}
      >
        <option value="">Choose…</option>
        {businesses.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </Box>
  );
}

import { Box, Flex, Stack } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Building2, SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Business } from '../gen/frontdesk/tenancy/v1/business_pb';
import { ButtonLink, RowLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { zoneCity } from '../time/zoned';
import { Button } from '../ui/button';
import { Surface } from '../ui/card';
import { TextField } from '../ui/field';
import { LongList } from '../ui/long-list';
import { phoneText } from '../ui/phone';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted } from '../ui/text';
import { BusinessMark } from './business-mark';
import { findBusinesses } from './find';
import { allBusinessesPages } from './queries';

const ROW_HEIGHT = 77;

type BusinessListProps = {
  /** Where a row leads. */
  to: (businessId: string) => string;
};

/** Every business of the installation, found by name, address or number. */
export function BusinessList({ to }: BusinessListProps) {
  const query = useInfiniteQuery(allBusinessesPages());
  const [typed, setTyped] = useState('');
  const wanted = typed.trim();
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  // What is looked for may be on any page.
  const lacking = wanted !== '' && hasNextPage && !isFetchingNextPage && !isError;
  const read = query.data?.pages.length ?? 0;
  useEffect(() => {
    // A page may come and the next be lacking in one and the same moment.
    if (lacking && read > 0) void fetchNextPage();
  }, [lacking, read, fetchNextPage]);

  return (
    <Stack gap="5">
      <Box maxWidth="24rem">
        <TextField
          type="search"
          label="Find a business"
          placeholder="Name, address or number"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Box>
      <Surface overflow="hidden">
        <Reading
          query={query}
          what="The businesses"
          skeleton={<RowsSkeleton rows={5} label="Loading businesses" />}
        >
          {({ pages }) => {
            const all = pages.flatMap((page) => page.businesses);
            if (all.length === 0) return <NoneYet />;
            const found = findBusinesses(all, wanted);
            if (found.length === 0)
              return <NotFoundYet wanted={wanted} more={hasNextPage} failed={isError} />;
            return (
              <LongList items={found} keyOf={({ id }) => id} rowHeight={ROW_HEIGHT}>
                {(business) => <Row business={business} to={to(business.id)} />}
              </LongList>
            );
          }}
        </Reading>
      </Surface>
      {hasNextPage && (
        <Button alignSelf="center" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Load more businesses
        </Button>
      )}
    </Stack>
  );
}

function NoneYet() {
  return (
    <Empty
      icon={Building2}
      title="No businesses yet"
      action={<ButtonLink to={paths.adminCreateBusiness()}>Create a business</ButtonLink>}
    >
      Its hours, team, services and telephone follow step by step.
    </Empty>
  );
}

type NotFoundYetProps = { wanted: string; more: boolean; failed: boolean };

/** It may stand on a page that is on its way, or that could not be read. */
function NotFoundYet({ wanted, more, failed }: NotFoundYetProps) {
  if (!more) return <Empty icon={SearchX} title={`No business has “${wanted}” in its name or address`} />;
  if (!failed) return <RowsSkeleton rows={3} label="Looking for businesses" />;
  return <Empty icon={SearchX} title="Not all businesses could be looked through" />;
}

function Row({ business, to }: { business: Business; to: string }) {
  return (
    <Flex
      position="relative"
      align="center"
      gap="4"
      px={{ base: '4', sm: '6' }}
      py="4"
      borderBottom="1px solid"
      borderColor="line"
      transition="colors"
      _hover={{ bg: 'bg.hover' }}
    >
      <BusinessMark
        businessId={business.id}
        name={business.name}
        color={business.brandColor}
        logoDigest={business.logoDigest}
        size="44px"
      />
      <Stack gap="0" flex="1" minWidth="0">
        <RowLink to={to}>{business.name}</RowLink>
        <Muted>{business.address || 'No address yet'}</Muted>
      </Stack>
      <Box hideBelow="md" textAlign="end" flexShrink="0">
        <Muted>{business.phone && phoneText(business.phone)}</Muted>
        <Muted>{zoneCity(business.timeZone)} time</Muted>
      </Box>
    </Flex>
  );
}

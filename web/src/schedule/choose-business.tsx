import { Box, Flex, Stack } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronRight, Store } from 'lucide-react';
import { allBusinessesPages } from '../businesses/queries';
import type { Business } from '../gen/frontdesk/tenancy/v1/business_pb';
import { paths } from '../paths';
import { RowLink } from '../shell/links';
import { Page } from '../shell/page';
import { Reading } from '../shell/reading';
import { zoneCity } from '../time/zoned';
import { Avatar } from '../ui/avatar';
import { Button } from '../ui/button';
import { Surface } from '../ui/card';
import { LongList } from '../ui/long-list';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted } from '../ui/text';

const ROW_HEIGHT = 77;

/** Whose schedule an administrator wants to see. */
export function ChooseBusiness() {
  const query = useInfiniteQuery(allBusinessesPages());
  return (
    <Page title="Salon scheduling" lead="Choose a business.">
      <Surface overflow="hidden">
        <Reading
          query={query}
          what="The businesses"
          skeleton={<RowsSkeleton rows={5} label="Loading businesses" />}
        >
          {({ pages }) => {
            const businesses = pages.flatMap((page) => page.businesses);
            if (businesses.length === 0) return <Empty icon={Store} title="No businesses yet" />;
            return (
              <LongList items={businesses} keyOf={({ id }) => id} rowHeight={ROW_HEIGHT}>
                {(business) => <Row business={business} />}
              </LongList>
            );
          }}
        </Reading>
      </Surface>
      {query.hasNextPage && (
        <Button
          alignSelf="center"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Load more businesses
        </Button>
      )}
    </Page>
  );
}

function Row({ business }: { business: Business }) {
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
      <Avatar name={business.name} size="44px" />
      <Stack gap="0" flex="1" minWidth="0">
        <RowLink to={paths.adminScheduling(business.id)}>{business.name}</RowLink>
        <Muted>{zoneCity(business.timeZone)} time</Muted>
      </Stack>
      <Box color="fg.muted">
        <ChevronRight size={20} aria-hidden />
      </Box>
    </Flex>
  );
}

import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Store } from 'lucide-react';
import { useEffect } from 'react';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { BusinessMark } from '../business/business-mark';
import { membershipsQuery } from '../business/queries';
import type { Membership } from '../gen/frontdesk/auth/v1/account_pb';
import { ButtonLink, RowLink } from '../layout/links';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { session } from '../session/current';
import { isAdmin, roleName } from '../session/roles';
import { useSession } from '../session/use-session';
import { Surface } from '../ui/card';
import { LongList } from '../ui/long-list';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted } from '../ui/text';

const ROW_HEIGHT = 82;

export function loader() {
  return warm(() => [queries.prefetchQuery(membershipsQuery())]);
}

export function Component() {
  const query = useQuery(membershipsQuery());
  useEffect(() => {
    // The list is another call's; this one tells the session which businesses to follow.
    session.reloadBusinesses().catch(() => undefined);
  }, []);
  return (
    <Page title="Your businesses" lead="Choose where you want to work.">
      <Surface overflow="hidden">
        <Reading
          query={query}
          what="Your businesses"
          skeleton={<RowsSkeleton rows={3} label="Loading your businesses" />}
        >
          {({ memberships }) =>
            memberships.length === 0 ? <NoBusinesses /> : <List memberships={memberships} />
          }
        </Reading>
      </Surface>
    </Page>
  );
}

function List({ memberships }: { memberships: Membership[] }) {
  return (
    <LongList items={memberships} keyOf={({ businessId }) => businessId} rowHeight={ROW_HEIGHT} lined>
      {({ businessId, businessName, brandColor, logoDigest, role }) => (
        <Flex
          position="relative"
          align="center"
          gap="4"
          px={{ base: '4', sm: '6' }}
          py="4"
          transition="colors"
          _hover={{ bg: 'bg.hover' }}
        >
          <BusinessMark
            businessId={businessId}
            name={businessName}
            color={brandColor}
            logoDigest={logoDigest}
            size="44px"
          />
          <Stack gap="0" flex="1" minWidth="0">
            <RowLink to={paths.business(businessId)}>{businessName || 'Unnamed business'}</RowLink>
            <Muted>{roleName(role)}</Muted>
          </Stack>
          <Box color="fg.muted">
            <ChevronRight size={20} aria-hidden />
          </Box>
        </Flex>
      )}
    </LongList>
  );
}

function NoBusinesses() {
  const { user, cachedUser } = useSession();
  const admin = isAdmin((user ?? cachedUser)?.role ?? '');
  return (
    <Empty
      icon={Store}
      title="You are not part of any business yet"
      action={admin && <ButtonLink to={paths.adminBusinesses}>All businesses</ButtonLink>}
    >
      {admin
        ? 'As an administrator you can open every business of this installation.'
        : 'Ask the owner of your salon to invite you with the e-mail address you sign in with.'}
    </Empty>
  );
}

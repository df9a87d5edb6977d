import { Flex, Stack } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { businessQuery } from '../business/queries';
import { isForbidden } from '../http/errors';
import { AccessRestricted } from '../layout/access-restricted';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { Button } from '../ui/button';
import { Surface } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { InvitationList } from './invitation-list';
import { InviteDialog } from './invite-dialog';
import { MemberList } from './member-list';
import { invitationPages, memberPages } from './queries';

export function loader({ params }: LoaderFunctionArgs) {
  const { businessId = '' } = params;
  return warm(() => [
    queries.prefetchInfiniteQuery(memberPages(businessId)),
    queries.prefetchInfiniteQuery(invitationPages(businessId)),
  ]);
}

export function Component() {
  const { businessId = '' } = useParams();
  const business = useQuery(businessQuery(businessId)).data?.business?.name || 'this business';
  const members = useInfiniteQuery(memberPages(businessId));
  const [inviting, setInviting] = useState(false);
  if (isForbidden(members.error)) return <AccessRestricted signedIn />;
  return (
    <Page
      title="Members"
      lead={`Who signs in to ${business}, and what each may do.`}
      action={
        <Button variant="contained" onClick={() => setInviting(true)}>
          <UserPlus size={20} aria-hidden />
          Invite member
        </Button>
      }
    >
      <Stack gap="6">
        {/* No overflow: a row's menu reaches beyond the card. */}
        <Surface>
          <Reading
            query={members}
            what="The members"
            missingIsPage
            skeleton={<RowsSkeleton rows={5} label="Loading members" />}
          >
            {({ pages }) => (
              <MemberList
                businessId={businessId}
                business={business}
                members={pages.flatMap((page) => page.members)}
                onInvite={() => setInviting(true)}
              />
            )}
          </Reading>
          {members.hasNextPage && (
            <Flex justify="center" py="3" borderTop="1px solid" borderColor="line">
              <Button loading={members.isFetchingNextPage} onClick={() => void members.fetchNextPage()}>
                Show more
              </Button>
            </Flex>
          )}
        </Surface>
        <InvitationList businessId={businessId} />
      </Stack>
      {inviting && (
        <InviteDialog businessId={businessId} business={business} onClose={() => setInviting(false)} />
      )}
    </Page>
  );
}

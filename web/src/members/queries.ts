import type { QueryClient } from '@tanstack/react-query';
import { rpcPages } from '../api/query';
import { type Member, MemberService } from '../gen/frontdesk/auth/v1/member_pb';

const PAGE = 50;

export const memberPages = (businessId: string) =>
  rpcPages(MemberService.method.listMembers, { businessId, pageSize: PAGE });

export const invitationPages = (businessId: string) =>
  rpcPages(MemberService.method.listInvitations, { businessId, pageSize: PAGE });

/** Puts a member, as they are now, in the place of the one shown. */
export function showMember(queries: QueryClient, businessId: string, changed: Member): void {
  const { queryKey } = memberPages(businessId);
  // What is being read was true before the change.
  void queries.cancelQueries({ queryKey });
  queries.setQueryData(
    queryKey,
    (before) =>
      before && {
        ...before,
        pages: before.pages.map((page) => ({
          ...page,
          members: page.members.map((member) => (member.userId === changed.userId ? changed : member)),
        })),
      },
  );
}

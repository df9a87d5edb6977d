import type { QueryClient } from '@tanstack/react-query';
import { changePages } from '../api/pages';
import { rpcPages, rpcWhole } from '../api/query';
import { type Member, MemberService } from '../gen/frontdesk/auth/v1/member_pb';

const PAGE = 50;

export const memberPages = (businessId: string) =>
  rpcPages(MemberService.method.listMembers, { businessId, pageSize: PAGE });

/** All of them, for a choice among them. */
export const allMembersQuery = (businessId: string) =>
  rpcWhole(MemberService.method.listMembers, { businessId }, ({ members }) => members);

export const invitationPages = (businessId: string) =>
  rpcPages(MemberService.method.listInvitations, { businessId, pageSize: PAGE });

/** Puts a member, as they are now, in the place of the one shown. */
export function showMember(queries: QueryClient, businessId: string, changed: Member): void {
  changePages(queries, memberPages(businessId), 'members', (shown) =>
    shown.map((member) => (member.userId === changed.userId ? changed : member)),
  );
}

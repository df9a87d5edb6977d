import type { QueryClient } from '@tanstack/react-query';
import { call } from '../api/call';
import { changePages } from '../api/pages';
import { rpcPages } from '../api/query';
import { type Member, MemberService } from '../gen/frontdesk/auth/v1/member_pb';
import { normaliseRole } from '../session/roles';

const PAGE = 50;

export const memberPages = (businessId: string) =>
  rpcPages(MemberService.method.listMembers, { businessId, pageSize: PAGE });

export const invitationPages = (businessId: string) =>
  rpcPages(MemberService.method.listInvitations, { businessId, pageSize: PAGE });

/** Puts a member, as they are now, in the place of the one shown. */
export function showMember(queries: QueryClient, businessId: string, changed: Member): void {
  changePages(queries, memberPages(businessId), 'members', (shown) =>
    shown.map((member) => (member.userId === changed.userId ? changed : member)),
  );
}

/** The role that a member has at the server; undefined for a user who is no member any more. */
export async function roleNow(businessId: string, userId: string): Promise<string | undefined> {
  for (let pageToken = ''; ; ) {
    const page = await call(MemberService.method.listMembers, { businessId, pageSize: PAGE, pageToken });
    const member = page.members.find((member) => member.userId === userId);
    if (member) return normaliseRole(member.role);
    if (!page.nextPageToken) return undefined;
    pageToken = page.nextPageToken;
  }
}
